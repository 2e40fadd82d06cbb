/** The median; NaN for no numbers. */
export function median(numbers: number[]) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const [low = Number.NaN, high = low] = sorted.slice((sorted.length - 1) >> 1)
  return sorted.length % 2 === 1 ? low : (low + high) / 2
}
