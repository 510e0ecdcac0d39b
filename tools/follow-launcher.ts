// Preloaded into what the launcher runs: when the launcher dies, even by SIGKILL, the program is asked to stop as well.
import { isMainThread } from 'node:worker_threads';

const wasStartedByLauncher = isMainThread && Number(process.env['CORRAL_LAUNCHER_PID']) === process.ppid;

if (wasStartedByLauncher && process.channel !== undefined) {
  process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  // The channel alone must not keep a finished program alive.
  process.channel.unref();
}
