import { setTimeout as wait } from 'node:timers/promises'
import type { Random } from './random.ts'
import type { Service } from './service.ts'

const minute = 60

/** When, in milliseconds, and how the service ends: in each minute, three times with SIGKILL and once with SIGTERM. */
function* planEndings(seconds: number, workers: number, random: Random) {
  for (let from = 0; from < seconds; from += minute) {
    const length = Math.min(minute, seconds - from)
    const kinds: ('SIGKILL' | 'SIGTERM' | 'worker')[] = ['SIGKILL', 'SIGTERM']
    if (length >= minute / 2) kinds.push('SIGKILL', 'SIGKILL')
    if (workers > 1) kinds.push('worker')
    const part = length / kinds.length
    for (const [i, kind] of random.shuffle(kinds).entries()) {
      yield { at: (from + part * (i + random.next())) * 1000, kind }
    }
  }
}

interface Options {
  seconds: number
  workers: number
  random: Random
  print(line: string): void
}

/** Ends the service and starts it again, at random moments, for this many seconds. */
export async function keepEnding(service: Service, options: Options) {
  const { seconds, workers, random, print } = options
  const begun = performance.now()
  const until = (at: number) => wait(Math.max(0, begun + at - performance.now()))

  for (const { at, kind } of planEndings(seconds, workers, random)) {
    await until(at)
    const clock = `${((performance.now() - begun) / 1000).toFixed(1)} s`.padStart(8)
    if (kind === 'worker') {
      service.killWorker((pids) => random.pick(pids))
      print(`${clock}  SIGKILL to one worker`)
      continue
    }
    await service.end(kind)
    const vain = kind === 'SIGKILL' && random.chance(0.3)
    if (vain) await service.startInVain(random.between(50, 600))
    const { startMs } = await service.start()
    const while_ = vain ? ', and again during the start' : ''
    print(`${clock}  ${kind}${while_}; up after ${Math.round(startMs)} ms`)
  }
  await until(seconds * 1000)
}
