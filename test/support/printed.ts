import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** A fenced block of a document. */
export interface Block {
  file: string
  line: number
  /** The heading above it. */
  section: string
  /** The text between it and the block, or heading, before. */
  above: string
  language: string
  content: string
  /** Why no test runs it: `<!-- not run: REASON -->` above it. */
  excuse: string | undefined
}

/** The documents that people write; `npm run docs` writes the others. */
export const documents = globSync(['README.md', 'client/README.md', 'docs/**/*.md'], { cwd: root })
  .filter((file) => !readFileSync(join(root, file), 'utf8').startsWith('<!-- Generated'))
  .sort()

/** The blocks of a document, in order. */
export function blocksOf(file: string): Block[] {
  const document = readFileSync(join(root, file), 'utf8')
  const blocks: Block[] = []
  let [section, start] = ['', 0]
  const parts =
    /^#+ (?<heading>[^\n]*)$|^(?<indent> *)```(?<language>\w*)\n(?<content>.*?)^ *```$/gms
  for (const { 0: whole, index, groups = {} } of document.matchAll(parts)) {
    const above = document.slice(start, index)
    start = index + whole.length
    if (groups.heading !== undefined) section = groups.heading
    else
      blocks.push({
        file,
        line: document.slice(0, index).split('\n').length,
        section,
        above,
        language: groups.language ?? '',
        content: (groups.content ?? '').replaceAll(new RegExp(`^${groups.indent}`, 'gm'), ''),
        excuse: /<!-- not run: ([^>]+) -->\n\s*$/.exec(above)?.[1]
      })
  }
  return blocks
}

/**
 * Which test runs the blocks of a document, of its part under a heading, or of one language there. Blocks of commands,
 * and the answers below them, are run by test/printed.test.ts.
 */
export const runners: Readonly<Record<string, string>> = {
  'README.md': 'test/printed.test.ts',
  'README.md#Where things are': 'test/readme.test.ts',
  'client/README.md': 'test/client/outside/outside.test.ts',
  'docs/agents.md': 'test/printed.test.ts',
  'docs/areas.md': 'test/printed.test.ts',
  'docs/tutorial.md': 'test/printed.test.ts',
  'docs/binary.md': 'test/printed.test.ts',
  'docs/binary.md ts': 'test/declarations-processes.test.ts',
  'docs/clients.md': 'test/client/outside/recipe.ts',
  'docs/clients.md#C#': 'test/client/outside/languages.test.ts',
  'docs/clients.md#Go': 'test/client/outside/languages.test.ts',
  'docs/clients.md#Java': 'test/client/outside/languages.test.ts',
  'docs/clients.md#Python': 'test/client/outside/languages.test.ts',
  'docs/clients.md#React': 'test/client/outside/frameworks.test.ts',
  'docs/clients.md#Vue': 'test/client/outside/frameworks.test.ts',
  'docs/deploy.md': 'test/printed.test.ts',
  'docs/mcp.md#Connect with a token': 'test/printed.test.ts',
  'docs/mcp.md#Connect with a token json': 'test/mcp-bridge.test.ts',
  'docs/mcp.md#Connect by standard input and output': 'test/mcp-bridge.test.ts',
  'docs/operate.md': 'test/printed.test.ts',
  'docs/patterns/activity.md': 'test/printed.test.ts',
  'docs/patterns/circuit-breaker.md': 'test/contract/printed-code.test.ts',
  'docs/patterns/feature-flags.md': 'test/printed.test.ts',
  'docs/patterns/idempotency.md': 'test/printed.test.ts',
  'docs/patterns/outgoing-webhooks.md': 'test/client/webhook.test.ts',
  'docs/patterns/plans.md': 'test/printed.test.ts',
  'docs/patterns/reactions.md': 'test/contract/printed-code.test.ts',
  'docs/patterns/signed-url.md': 'test/contract/printed-code.test.ts',
  'docs/patterns/webhook.md': 'test/printed.test.ts',
  'docs/patterns/webhook.md ts': 'test/contract/printed-code.test.ts',
  'docs/patterns/workflow.md': 'test/contract/printed-code.test.ts',
  'docs/verify.md': 'test/printed.test.ts'
}

/** The entry of `runners` that names the test of a block. */
export const placeOf = ({ file, section, language }: Block) => {
  const part = `${file}#${section}`
  const places = [`${part} ${language}`, part, `${file} ${language}`, file]
  return places.find((place) => place in runners)
}

/** A block of commands. */
export interface Step extends Block {
  /** The answers that are shown below it, if they are. */
  shown: string | undefined
}

/** The commands of a document that can be run. */
export const stepsOf = (file: string): Step[] =>
  blocksOf(file).flatMap((block, index, all) => {
    if (block.excuse || !['sh', 'bash'].includes(block.language)) return []
    const { language = 'none', above = '', content } = all[index + 1] ?? {}
    const isAnswer = ['', 'json'].includes(language) && /^\s*(The answers\b.*)?$/.test(above.trim())
    return [{ ...block, shown: isAnswer ? content : undefined }]
  })

/** The block, and where it is. */
export const nameOf = ({ file, line, language }: Block) => `${file}:${line} (${language || 'text'})`

/** Answers, line by line, with placeholders for what differs from run to run. */
export const fixed = (answers: string) =>
  answers
    .replaceAll(/[0-9a-f]{64}|gth_[\w-]+/g, '<token>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/("(?:exp|iat|pwd|expires|reset_seconds)":|expires=)\d+/g, '$1<time>')
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>')
    .trimEnd()
    .split('\n')
