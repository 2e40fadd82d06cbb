import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { refuse } from '../../schemas/area/names.ts'

/** What `npm run docs` writes. */
const generated = [
  ...['docs/configuration.md', 'docs/errors.md', 'docs/mcp-tools.md', 'docs/openapi.json'],
  'client/src/schema.ts'
]

/** The files of the project, and what is to become of them: nothing is written before `apply`. */
export class Tree {
  readonly #root: string
  /** The new content of a file by its path; null if it goes. */
  readonly #changed = new Map<string, string | null>()
  /** What was there before, to put it back. */
  readonly #before = new Map<string, string | null>()
  /** The paths of all files that git does not ignore, and of those that have changes. */
  readonly paths: readonly string[]
  readonly #dirty: readonly string[]

  /** @throws Refusal if there is no git work tree. */
  constructor(root: string) {
    this.#root = root
    if (!existsSync(join(root, '.git'))) {
      refuse('this is no git work tree: run git init, and commit what is there')
    }
    const git = (...args: string[]) =>
      execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
    this.paths = git('ls-files', '-z', '--cached', '--others', '--exclude-standard').filter(
      (path) => existsSync(join(root, path))
    )
    this.#dirty = git('status', '-z', '--untracked-files=all').map((line) => line.slice(3))
  }

  /** @throws Refusal if the work tree has changes, but for generated files and those that `mayBe` names. */
  requireClean(mayBe = (_path: string) => false) {
    if (this.#dirty.some((path) => !mayBe(path))) {
      refuse('the work tree has changes: commit or stash them first')
    }
  }

  isGenerated = (path: string) => generated.includes(path)

  read(path: string) {
    return this.#changed.get(path) ?? this.#onDisk(path)
  }

  has(path: string) {
    const changed = this.#changed.get(path)
    return changed === undefined ? this.paths.includes(path) : changed !== null
  }

  /** Writes a new file. @throws Refusal if there is one. */
  add(path: string, text: string) {
    if (this.has(path)) refuse(`${path} exists`)
    this.#changed.set(path, text)
  }

  remove(path: string) {
    this.#changed.set(path, null)
  }

  /** Changes a file. @throws Refusal if that changes nothing: then the file has another form than expected. */
  edit(path: string, change: (text: string) => string) {
    const text = this.read(path)
    const changed = change(text)
    if (changed === text)
      refuse(`${path} was changed in a way that this command does not understand`)
    this.#changed.set(path, changed)
  }

  /** What happens to each file. */
  get changes() {
    return [...this.#changed].map(([path, text]) => ({
      path,
      what: text === null ? 'removed' : this.paths.includes(path) ? 'changed' : 'written'
    }))
  }

  apply() {
    for (const path of [...this.#changed.keys(), ...generated]) {
      this.#before.set(path, this.paths.includes(path) ? this.#onDisk(path) : null)
    }
    this.#write(this.#changed)
  }

  /** Puts back what was there before. */
  undo() {
    this.#write(this.#before)
  }

  #onDisk = (path: string) => readFileSync(join(this.#root, path), 'utf8')

  #write(files: ReadonlyMap<string, string | null>) {
    for (const [path, text] of files) {
      const file = join(this.#root, path)
      mkdirSync(dirname(file), { recursive: true })
      if (text === null) rmSync(file, { force: true })
      else writeFileSync(file, text)
    }
  }
}
