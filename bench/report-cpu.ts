/** Preloaded into a measured process: tells the bench what CPU it has used, and ends with it. */
process.on('message', () => process.send?.(process.cpuUsage()))
process.on('disconnect', () => process.exit())
// Waiting for questions must not keep a process alive that has closed.
process.channel?.unref()
