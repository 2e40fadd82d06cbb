/** Preloaded into a measured process: reports its CPU time to the bench, and ends when the bench does. */
import cluster from 'node:cluster'

// Not in a worker: its channel leads to its primary process, which uses it.
if (cluster.isPrimary) {
  process.on('message', () => process.send?.(process.cpuUsage()))
  process.on('disconnect', () => process.exit())
  // A process that has closed must not stay alive because it waits for questions.
  process.channel?.unref()
}
