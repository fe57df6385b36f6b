// Loaded with `node --import`: stops the process when its launcher has ended, even by a kill.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
