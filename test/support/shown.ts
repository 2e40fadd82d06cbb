/**
 * Answers as a document shows them, line by line: without the members that came to the service later, and
 * with the operations and scopes of its time, so that a document need not follow each field and area.
 */
export function asShown(answers: string, shown: string) {
  const wanted = shown.split('\n')
  const lines = answers.split('\n').map((line, index) => {
    const [like, ...rest] = parts(wanted[index] ?? '')
    const [answer, ...after] = parts(line)
    if (like === undefined || answer === undefined || rest.length !== after.length) return line
    return JSON.stringify(pruned(answer, like)).replaceAll(cutAsJson, cut) + after
  })
  return lines.join('\n')
}

/** What stands for the middle of a list. */
const [cut, cutAsJson] = [', ... ,', ',"...",']

/** The object that a line begins with, and what follows it; nothing for any other line. */
function parts(line: string): [value?: unknown, rest?: string] {
  const [, json, rest = ''] = /^(\{.*\})(.*)$/.exec(line) ?? []
  try {
    return json === undefined ? [] : [JSON.parse(json.replaceAll(cut, cutAsJson)), rest]
  } catch {
    return []
  }
}

function pruned(answer: unknown, shown: unknown): unknown {
  if (Array.isArray(answer) && Array.isArray(shown)) {
    const isNamed = answer.some((one) => shown.includes(one))
    return isNamed && answer.every((one) => typeof one === 'string')
      ? shown
      : answer.map((one, index) => pruned(one, shown[index]))
  }
  if (
    answer === null ||
    shown === null ||
    typeof answer !== 'object' ||
    typeof shown !== 'object'
  ) {
    return answer
  }
  const members: Readonly<Record<string, unknown>> = { ...shown }
  const known = Object.entries(answer).filter(([name]) => name in members)
  return Object.fromEntries(known.map(([name, value]) => [name, pruned(value, members[name])]))
}
