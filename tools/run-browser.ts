import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildAgentWhenStale } from './build-agent.ts';
import { buildCliWhenStale } from './build-cli.ts';
import { buildConsoleWhenStale } from './build-console.ts';
import { findOrInstallChromium } from './chromium.ts';
import { installOldNodes } from './old-nodes.ts';
import { runVisibly } from './run.ts';
import { findOrInstallNginx } from './servers.ts';
import { repositoryRoot } from './source-files.ts';
import { outcomeOfPlaywright, outcomeOfRun, type SuiteOutcome } from './totals.ts';

// The packages exist only for Linux on x64.
const hasOldNodes = process.platform === 'linux' && process.arch === 'x64';

/** Builds agent, command line and console if they are stale, and runs Playwright with its output visible; the report is written to `folder`. */
export async function runBrowser(
  folder: string,
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
  config = 'e2e/playwright.config.ts',
): Promise<SuiteOutcome> {
  await buildAgentWhenStale();
  await buildCliWhenStale();
  await buildConsoleWhenStale();
  const report = join(folder, 'playwright.json');
  const command = [
    join(repositoryRoot, 'node_modules/@playwright/test/cli.js'),
    'test',
    `--config=${config}`,
    '--forbid-only',
    '--reporter=list,json',
    ...args,
  ];
  const code = await runVisibly(process.execPath, command, {
    ...process.env,
    ...more,
    CORRAL_CHROMIUM: findOrInstallChromium(),
    CORRAL_NGINX: findOrInstallNginx(),
    ...(hasOldNodes && { CORRAL_OLD_NODES: installOldNodes() }),
    // Playwright and each of its workers start in half the CPU time with it.
    NODE_COMPILE_CACHE: join(tmpdir(), `corral-playwright-compile-cache-${process.getuid?.() ?? 'user'}`),
    PLAYWRIGHT_JSON_OUTPUT_FILE: report,
    PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1',
  });
  return outcomeOfRun('e2e', code, report, outcomeOfPlaywright);
}
