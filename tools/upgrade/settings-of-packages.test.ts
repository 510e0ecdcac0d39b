import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runTool } from '../release/run-tool.ts';
import { repositoryRoot } from '../source-files.ts';
import { newestRelease } from './earlier-checkout.ts';

// Where the administrator and a package have both changed such a file, dpkg asks which one stays, and without a terminal it gives up while the hub is stopped.
test.each(['tools/release/files/deb/corral.env', 'tools/release/files/agent-deb/agent.toml'])(
  '%s is as in the newest release, if there is one',
  (path) => {
    const present = readFileSync(join(repositoryRoot, path), 'utf8');
    const tag = newestRelease();
    const released = tag === undefined ? present : runTool('git', ['show', `${tag}:${path}`], repositoryRoot);
    expect(present).toBe(released);
  },
);
