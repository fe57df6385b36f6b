// Loaded into a process with `node --import`: it ends in an orderly way when its launcher, killed or not, is gone.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'))
process.channel?.unref()
