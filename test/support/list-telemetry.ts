/** `--import` of a process that prints which modules of OpenTelemetry it loads. */
import { registerHooks } from 'node:module'

registerHooks({
  load(url, context, next) {
    if (url.includes('/@opentelemetry/')) process.stdout.write(`loaded ${url}\n`)
    return next(url, context)
  }
})
