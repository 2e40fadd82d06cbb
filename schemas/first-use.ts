/**
 * Makes a function at its first call, so that a start makes only what is used: most of its time and memory would
 * go into functions that few processes call. `isEager`: makes it now, so that a mistake stops the start.
 */
export function atFirstUse<Args extends unknown[], Result>(
  isEager: boolean,
  make: () => (...args: Args) => Result
): (...args: Args) => Result {
  if (isEager) return make()
  let made: ((...args: Args) => Result) | undefined
  return (...args) => {
    made ??= make()
    return made(...args)
  }
}
