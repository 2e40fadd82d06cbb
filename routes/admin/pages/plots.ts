import type { Minute } from '../../../plugins/reporting/metrics/last-hour.ts'

/** A rectangle. Its position is relative to the drawing, which is as wide as its place in the page. */
interface Bar {
  /** Its colour: a class of plugins/patterns/pages/assets/desk.css. */
  kind: string
  x: string
  y: string
  width: string
  height: string
}

/** What `routes/admin/desk/plot.eta` shows: a drawing, its legend, and the same numbers as a table. */
export interface Plot {
  title: string
  /** The message of the drawing in words, for people who cannot see it. */
  label: string
  /** Labels of the vertical axis, from top to bottom, at equal distances. */
  axis: string[]
  bars: Bar[]
  legend: { kind: string; text: string; value: string }[]
  head: string[]
  rows: string[][]
}

/** The smallest height of a bar, in percent, so that one failure among thousands is visible. */
const minHeight = 2.5

const part = (value: number) => `${Math.round(value * 100) / 100}%`

/** The bar of a minute, by its position. */
function barOf(index: number, of: number, kind: string, top: number, height: number): Bar {
  const step = 100 / of
  return {
    kind,
    x: part((index + 0.1) * step),
    y: part(top),
    width: part(step * 0.8),
    height: part(height)
  }
}

/** A round number of at least `count` whose half is a whole number too. */
function roundUp(count: number) {
  const scale = 10 ** Math.floor(Math.log10(Math.max(count, 1)))
  return [2, 4, 10, 20].map((step) => step * scale).find((step) => step >= count) ?? count
}

/** Bars that stack the counts of each minute, the first kind at the bottom, and the labels of the axis. */
export function stacks(minutes: Minute[], kinds: string[], counts: (minute: Minute) => number[]) {
  const total = (minute: Minute) => counts(minute).reduce((sum, count) => sum + count, 0)
  const max = roundUp(Math.max(...minutes.map(total)))
  const bars = minutes.flatMap((minute, index) => {
    let top = 100
    return counts(minute).flatMap((count, series) => {
      if (count === 0) return []
      const height = Math.max((count / max) * 100, minHeight)
      top = Math.max(top - height, 0)
      return barOf(index, minutes.length, kinds[series] ?? '', top, height)
    })
  })
  return { bars, axis: [max, max / 2, 0].map((value) => value.toLocaleString('en')) }
}

/** The time at the bottom of a drawing, in milliseconds. Each line above it stands for ten times as much. */
const shortest = 0.1

/** Bars from the median to the 99th percentile of each minute, and the labels of the axis. */
export function spreads(minutes: Minute[]) {
  const longest = Math.max(100, ...minutes.map(({ p99 }) => p99 ?? 0))
  const decades = Math.ceil(Math.log10(longest / shortest))
  const topOf = (ms: number) => 100 - (Math.max(Math.log10(ms / shortest), 0) / decades) * 100
  const bars = minutes.flatMap(({ p50, p99 }, index) => {
    if (p50 === null || p99 === null) return []
    const [low, high] = [topOf(p50), topOf(p99)]
    return [
      barOf(index, minutes.length, 'spread', high, Math.max(low - high, minHeight)),
      barOf(index, minutes.length, 'middle', low - minHeight / 2, minHeight)
    ]
  })
  const axis = Array.from({ length: decades + 1 }, (_, index) =>
    duration(shortest * 10 ** (decades - index))
  )
  return { bars, axis }
}

/** Hours and minutes, UTC. */
export const clockTime = (at: number) => new Date(at).toISOString().slice(11, 16)

/** A time in milliseconds, written for people. */
export function duration(ms: number) {
  if (ms >= 1000) return `${Math.round(ms / 100) / 10} s`
  return `${ms >= 10 ? Math.round(ms) : Math.round(ms * 10) / 10} ms`
}
