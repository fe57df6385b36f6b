// Preloaded into a process of a test: SIGUSR2 makes its event loop stand still.
process.on('SIGUSR2', function spinOnSignal() {
  for (;;);
})
