import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { repositoryRoot } from './source-files.ts';

/** A vitest reporter that writes the seconds of each test file, with its imports and hooks, as JSON to the path in CORRAL_FILE_SECONDS. */
export default class FileSecondsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const path = process.env['CORRAL_FILE_SECONDS'];
    if (path === undefined) return;
    const seconds = modules.map((module): [string, number] => [
      relative(repositoryRoot, module.moduleId),
      secondsOf(module),
    ]);
    writeFileSync(path, JSON.stringify(seconds));
  }
}

function secondsOf(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, collectDuration, setupDuration, duration } =
    module.diagnostic();
  return (environmentSetupDuration + prepareDuration + collectDuration + setupDuration + duration) / 1000;
}
