// Preloaded into each program that the launcher runs: stops the program when the launcher dies, even by SIGKILL.
import { isMainThread } from 'node:worker_threads';

const wasStartedByLauncher = isMainThread && Number(process.env['CORRAL_LAUNCHER_PID']) === process.ppid;

if (wasStartedByLauncher && process.channel !== undefined) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The IPC channel must not keep a finished program alive.
  process.channel.unref();
}
