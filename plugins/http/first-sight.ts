/** How many texts are remembered: strangers choose them. */
const max = 100

/** Tells whether a text is seen for the first time, so that a log names it once; false for all beyond the maximum. */
export function firstSight() {
  const seen = new Set<string>()
  return (text: string) => {
    if (seen.has(text) || seen.size === max) return false
    seen.add(text)
    return true
  }
}
