import { generateKeyPairSync } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Id } from '@corral/contract';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../test/fresh-executor.ts';
import { seedMember, seedProject, type SeededProject } from '../../test/seed.ts';
import { testVault } from '../../test/test-vault.ts';
import { sealAuditLog } from '../domains/audit/jobs/seal-audit-log.ts';
import { existingSigningKey } from '../domains/audit/sql/audit-seals.ts';
import { checkExport, type ExportVerdict } from './exported-audit-log.ts';

let hub: FreshExecutor;
let project: SeededProject;
let lines: string[];
beforeAll(async () => {
  hub = await freshExecutor();
  project = await seedProject(hub);
  await seedProject(hub, 'Another');
  const { projectId, owner } = project;
  for (let count = 0; count < 230; count += 1)
    await hub.as(owner, 'projects_SetName', { projectId, name: `Plant ${count}` });
  const exported = async () => {
    await sealAuditLog({ executor: hub.executor, log: { info() {} } });
    lines = await exportAll();
    return lines.filter((line) => line.includes('"row":')).length;
  };
  await vi.waitFor(async () => expect(await exported()).toBe(232), { interval: 200 });
});
afterAll(() => hub[Symbol.asyncDispose]());

async function exportAll(): Promise<string[]> {
  const { projectId } = project;
  const all: string[] = [];
  const member = await seedMember(hub, project);
  for (let after: Id<'auditEvent'> | undefined; ;) {
    const page = await hub.as(member, 'projects_ExportAuditLog', {
      projectId,
      ...(after === undefined ? {} : { after }),
    });
    all.push(...page.lines);
    after = page.next;
    if (after === undefined) return all;
  }
}

async function verdictOn(text: readonly string[]): Promise<ExportVerdict> {
  const key = await existingSigningKey({ tx: hub.database.db, vault: testVault });
  return checkExport(Readable.from(text) as AsyncIterable<string>, key!);
}

test('an exported log is verified line by line, by the public key alone', async () => {
  expect(await verdictOn(lines)).toEqual({ rows: 232 });
  const { publicKey } = generateKeyPairSync('ed25519');
  expect((await checkExport(Readable.from(lines) as AsyncIterable<string>, publicKey)).problem?.line).toBe(1);
});

test('a changed, removed, repeated or moved line is detected', async () => {
  for (let at = 0; at < lines.length; at += 7) {
    const line = lines[at]!;
    const changed = line.replace(/Plant (\d)/, 'Plant 9$1').replace('"seal', '"seal ');
    if (changed !== line) expect((await verdictOn(lines.with(at, changed))).problem, line).toBeDefined();
    expect((await verdictOn(lines.toSpliced(at, 1))).problem, line).toBeDefined();
    expect((await verdictOn(lines.toSpliced(at, 0, line))).problem, line).toBeDefined();
  }
  expect((await verdictOn(lines.slice(0, 100))).problem?.sentence).toBe('The end is missing.');
});
