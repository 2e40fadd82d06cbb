import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { areasFolder, readDeclarations } from '../plugins/runtime/declarations.ts'
import type { Declaration } from '../schemas/area/declaration.ts'
import { namesOf } from '../schemas/area/names.ts'
import { type Commands, UsageError } from './command.ts'

/** A value as the formatter writes it. */
function literal(value: unknown, indent = ''): string {
  if (Array.isArray(value)) return `[${value.map((one) => literal(one)).join(', ')}]`
  if (typeof value === 'string')
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  if (!(value instanceof Object)) return String(value)
  const inner = `${indent}  `
  const members = Object.entries(value).map(([name, one]) => {
    const key = /^\w+$/.test(name) ? name : literal(name)
    return `${inner}${key}: ${literal(one, inner)}`
  })
  return `{\n${members.join(',\n')}\n${indent}}`
}

/** `schemas/bookmark.ts` */
const schemaOf = ({ name, ...area }: Declaration) => {
  const { Many } = namesOf(name)
  return `import type { Declaration } from './area/declaration.ts'

/** ${Many}: their table, and what callers send and get, follow from this. */
export const ${name} = ${literal({ name, ...area })} as const satisfies Declaration
`
}

/** `routes/bookmark.ts` */
const routesOf = ({
  name
}: Declaration) => `import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { addArea } from '../plugins/patterns/area/routes.ts'
import { declaredArea } from '../schemas/area/index.ts'
import { ${name} as declaration } from '../schemas/${name}.ts'
import type { Config } from '../schemas/config.ts'

/** ${namesOf(name).Many} of the signed-in user. Those of other users are not found. */
const ${name}: FastifyPluginAsyncTypebox<Pick<Config, 'SVC_BATCH_MAX'>> = async (app, options) => {
  const area = declaredArea(declaration)
  addArea(app, area, { ...area, batchMax: options.SVC_BATCH_MAX })
}

export default ${name}
`

/** The lists that name an area in code, with what each gets. */
const listsOf = (name: string): [path: string, place: RegExp, text: string, from: string][] => [
  ['schemas/coded.ts', /(?<=Declaration\[\] = \[)/, `${name}, `, `{ ${name} } from './${name}.ts'`],
  [
    'app.ts',
    /(?= {2}\/\/ Pages, last)/,
    `  await app.register(${name}, config)\n`,
    `${name} from './routes/${name}.ts'`
  ]
]

export const areaCodeCommands: Commands = {
  'area code': {
    operands: ['NAME'],
    about:
      'In a checkout: turn a declared area into code to go on from, schemas/NAME.ts and routes/NAME.ts, on the same table. Its file is deleted. Run npm run format and npm run docs then.',
    async run({ operands: [name = ''] }, load) {
      if (!existsSync('schemas/coded.ts')) throw new UsageError('this is no checkout of the code')
      const folder = areasFolder(load())
      const area = readDeclarations(folder).find((one) => one.name === name)
      const file = join(folder, `${name}.json`)
      if (!area || !existsSync(file)) throw new UsageError(`there is no declared area ${name}`)
      const { $schema: _editor, ...declaration } = area
      const written = [
        [`schemas/${name}.ts`, schemaOf(declaration)],
        [`routes/${name}.ts`, routesOf(declaration)]
      ] as const
      const taken = written.find(([path]) => existsSync(path))
      if (taken) throw new UsageError(`${taken[0]} exists`)
      for (const [path, text] of written) writeFileSync(path, text)
      for (const [path, place, text, from] of listsOf(name)) {
        const list = readFileSync(path, 'utf8')
        writeFileSync(path, `import ${from}\n${list.replace(place, text)}`)
      }
      rmSync(file)
      const told = written.map(([path]) => `wrote ${path}\n`)
      return `${told.join('')}It stands in app.ts and schemas/coded.ts, and its rows stay where they are.\n`
    }
  }
}
