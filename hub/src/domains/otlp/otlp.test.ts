import { ids, type CallInput, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newDatedRawId } from '../../auth/random.ts';
import {
  deviceActor,
  numbered,
  playedCollector as collector,
  stalledCollector,
  textsOf,
  untilExportable,
  type CollectorAnswer as Answer,
} from '../../../test/played-collector.ts';
import { freshExecutor, type FreshExecutor } from '../../../test/fresh-executor.ts';
import { startNodeThatSends } from '../../../test/killed-node.ts';
import { seedDevice, seedMember, seedProject, type SeededProject } from '../../../test/seed.ts';
import { outgoingRule } from '../../config/outgoing-addresses.ts';
import { openOutgoing } from '../../platform/outgoing/open-outgoing.ts';
import { startOtlpExports } from './jobs/export-records.ts';

let hub: FreshExecutor;
let project: SeededProject;
let deviceId: Id<'device'>;
beforeEach(async () => {
  hub = await freshExecutor({ outgoing: openedOutgoing() });
  project = await seedProject(hub);
  ({ deviceId } = await seedDevice(hub, project));
  await hub.as(project.owner, 'devices_SetDeviceName', { deviceId, name: 'Pump 1' });
});
/** What ends before the database does. */
const exportersOfTest: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const stop of exportersOfTest.splice(0)) await stop();
  await hub[Symbol.asyncDispose]();
});

function openedOutgoing(rule = outgoingRule([{ place: '127.0.0.1', port: undefined }])) {
  return openOutgoing({ rule });
}

/** Exports what is due, as a node does. */
function exporting(outgoing = openedOutgoing()) {
  const exporter = startOtlpExports({
    executor: hub.executor,
    outgoing,
    log: { warn: (fields) => console.error(fields) },
  });
  exportersOfTest.push(() => exporter.stop());
  return {
    async exportDue() {
      await untilExportable(hub);
      await exporter.exportDue();
    },
    exportNow: () => exporter.exportDue(),
  };
}

type Config = CallInput<'projects_SetOtlpConfig'>['config'];

const configure = (endpoint: string, more: Partial<Config> = {}, of = project) =>
  hub.as(of.owner, 'projects_SetOtlpConfig', {
    projectId: of.projectId,
    config: { enabled: true, endpoint, headers: {}, ...more },
  });
const status = async (of = project) =>
  (await hub.as(of.owner, 'projects_GetOtlpStatus', { projectId: of.projectId })).streams;

/** Publishes events with texts as their bodies. */
async function publish(texts: readonly string[], more: object = {}, of = deviceId): Promise<string[]> {
  const eventIds = texts.map(() => ids.deviceEvent.of(newDatedRawId(hub.now())));
  await hub.as(deviceActor(of), 'devices_PublishDeviceEvents', {
    deviceId: of,
    events: texts.map((body, index) => ({
      eventId: eventIds[index]!,
      severity: 'Info',
      body,
      attributes: {},
      emittedAt: hub.now().toISOString(),
      ...more,
    })) as CallInput<'devices_PublishDeviceEvents'>['events'],
  });
  return eventIds;
}

describe('what is exported', () => {
  test('events of devices arrive once, compressed, as records with their device, times and severities, and nothing from before', async () => {
    const { accepted, resources, requests, url } = await collector();
    await publish(['before']);
    await configure(url, { headers: { Authorization: 'Bearer secret' } });
    const [eventId] = await publish(['hot'], {
      severity: 'Critical',
      category: 'engine',
      attributes: {
        celsius: 98.5,
        ok: false,
        'rack.id': 9_007_199_254_740_991,
        tags: ['a', null],
        of: { pump: 1 },
      },
      emittedAt: '2026-11-20T11:59:59.250001Z',
    });
    await exporting().exportDue();
    expect(requests[0]?.headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-encoding': 'gzip',
      'content-type': 'application/json',
    });
    expect(resources).toEqual([
      {
        attributes: [
          { key: 'host.id', value: { stringValue: deviceId } },
          { key: 'host.name', value: { stringValue: 'Pump 1' } },
          { key: 'corral.project.id', value: { stringValue: project.projectId } },
        ],
      },
    ]);
    expect(accepted).toEqual([
      {
        timeUnixNano: '1795175999250001000',
        observedTimeUnixNano: '1795176000000000000',
        severityNumber: 21,
        severityText: 'Critical',
        body: { stringValue: 'hot' },
        attributes: expect.arrayContaining([
          { key: 'celsius', value: { doubleValue: 98.5 } },
          { key: 'ok', value: { boolValue: false } },
          { key: 'rack.id', value: { intValue: '9007199254740991' } },
          { key: 'tags', value: { arrayValue: { values: [{ stringValue: 'a' }, {}] } } },
          { key: 'of', value: { kvlistValue: { values: [{ key: 'pump', value: { intValue: '1' } }] } } },
          { key: 'corral.event.category', value: { stringValue: 'engine' } },
          { key: 'corral.event.id', value: { stringValue: eventId } },
        ]) as unknown,
      },
    ]);
    expect(await status()).toMatchObject([
      { stream: 'events', sent: 1, dropped: 0, setAside: 0, lagSecs: 0 },
    ]);
  });

  test('every severity has the number of the standard, and what is below the least one or fails the filter stays', async () => {
    const { accepted, url } = await collector();
    await configure(url, { minSeverity: 'Debug', filter: 'category:engine' });
    for (const severity of ['Trace', 'Debug', 'Info', 'Warning', 'Error', 'Critical'] as const)
      await publish([severity], { severity, category: 'engine' });
    await publish(['of another'], { category: 'door' });
    await exporting().exportDue();
    expect(accepted.map(({ severityNumber, severityText }) => [severityNumber, severityText])).toEqual([
      [5, 'Debug'], [9, 'Info'], [13, 'Warning'], [17, 'Error'], [21, 'Critical'],
    ]); // prettier-ignore
    expect(await status()).toMatchObject([{ sent: 5, lagSecs: 0 }]);
  });
});

describe('nothing is lost', () => {
  test('an event whose transaction commits after later ones is exported', async () => {
    const { accepted, url } = await collector();
    await configure(url);
    const exporter = exporting();
    const raw = newDatedRawId(hub.now());
    const inserted = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const late = hub.database.db.transaction().execute(async (tx) => {
      await sql`
        insert into device_events (device_id, event_month, event_id, severity, body, attributes, emitted_at, received_at, export_project, export_position)
          values (${ids.device.raw(deviceId)}, 202611, ${raw}, 'Info', '"late"', '{}', ${hub.now()}, ${hub.now()}, ${ids.project.raw(project.projectId)}, audit_position())`.execute(
        tx,
      );
      inserted.resolve();
      await mayCommit.promise;
    });
    await inserted.promise;
    await publish(['early']);
    await exporter.exportNow();
    // It waits for the one before.
    expect(textsOf(accepted)).toEqual([]);
    mayCommit.resolve();
    await late;
    await exporter.exportDue();
    expect(textsOf(accepted)).toEqual(['late', 'early']);
  });

  test('a collector that is down, or too busy, gets everything later: when it asks for it, or after a time that grows to five minutes', async () => {
    let given: Answer = { status: 503 };
    const { accepted, requests, url } = await collector(() => given);
    await configure(url);
    const exporter = exporting();
    await publish(numbered(10));
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 12; attempt += 1) {
      await exporter.exportDue();
      expect(requests).toHaveLength(attempt);
      const [stream] = await status();
      expect(stream?.lastError).toMatch(/^127\.0\.0\.1:\d+ answered with the status 503\.$/);
      waits.push((Date.parse(stream?.nextAttemptAt ?? '') - hub.now().getTime()) / 1000);
      hub.advance(waits.at(-1)!);
    }
    expect(waits[0]).toBeLessThanOrEqual(1);
    expect(Math.max(...waits)).toBeGreaterThan(150);
    expect(Math.max(...waits)).toBeLessThanOrEqual(300);
    given = { status: 429, headers: { 'retry-after': '40' } };
    await exporter.exportDue();
    expect(Date.parse((await status())[0]?.nextAttemptAt ?? '') - hub.now().getTime()).toBe(40_000);
    hub.advance(40);
    given = { status: 401 };
    await exporter.exportDue();
    expect((await status())[0]?.lagSecs).toBeGreaterThan(60);
    hub.advance(300);
    given = { status: 200 };
    await exporter.exportDue();
    expect(textsOf(accepted).toSorted()).toEqual(numbered(10));
    expect(await status()).toMatchObject([{ sent: 10, dropped: 0, setAside: 0, lagSecs: 0 }]);
    expect((await status())[0]).not.toHaveProperty('nextAttemptAt');
  });

  test('a record that is refused is found by halves, set aside and counted, and all others arrive once', async () => {
    const { accepted, url } = await collector((bodies) => ({
      status: bodies.some((text) => text.includes('poison')) ? 400 : 200,
    }));
    await configure(url);
    await publish([...numbered(70), 'poison one', ...numbered(70, 70), 'poison two', ...numbered(70, 140)]);
    await exporting().exportDue();
    expect(textsOf(accepted).toSorted()).toEqual(numbered(210).toSorted());
    expect(await status()).toMatchObject([
      {
        sent: 210,
        setAside: 2,
        lagSecs: 0,
        lastError: expect.stringMatching(/answered with the status 400\.$/),
      },
    ]);
  });

  test('what a collector says that it has not taken of a batch is shown', async () => {
    const { url } = await collector(() => ({
      status: 200,
      body: {
        partialSuccess: { rejectedLogRecords: '3', errorMessage: `\0too\n\u202eold ${'x'.repeat(500)}` },
      },
    }));
    await configure(url);
    await publish(numbered(10));
    await exporting().exportDue();
    expect(await status()).toMatchObject([
      { sent: 7, setAside: 3, lastError: expect.stringMatching(/ rejected 3 records: "too old x{191}…"\.$/) },
    ]);
  });

  test('of two nodes one is killed while it exports: the other goes on with what the dead one did not record, under the same ids', async () => {
    const { accepted, requests, url } = await collector(() => {
      if (requests.length === 2) dying.kill();
      return { status: 200 };
    });
    await configure(url);
    for (let from = 0; from < 5_000; from += 1_000) await publish(numbered(1_000, from));
    await untilExportable(hub);
    const dying = startNodeThatSends(hub);
    await dying.isKilled();
    expect(accepted).toHaveLength(4_000);
    const other = exporting();
    await other.exportDue();
    expect(accepted).toHaveLength(4_000);
    hub.advance(61);
    await other.exportDue();
    expect(accepted).toHaveLength(7_000);
    expect(new Set(textsOf(accepted))).toEqual(new Set(numbered(5_000)));
    const sentIds = accepted.map((record) => record.attributes.find(({ key }) => key === 'corral.event.id'));
    expect(new Set(sentIds.map((id) => JSON.stringify(id))).size).toBe(5_000);
  });

  test('what waits for longer than a day, and above 1 GiB, is dropped from the oldest on and counted', async () => {
    let given: Answer = { status: 503 };
    const { accepted, url } = await collector(() => given);
    await configure(url);
    const exporter = exporting();
    await publish(numbered(3));
    await exporter.exportDue();
    hub.advance(86_000);
    await publish(numbered(3, 3));
    hub.advance(500);
    await exporter.exportDue();
    expect(await status()).toMatchObject([{ dropped: 3, sent: 0 }]);
    await sql`update otlp_streams set measured_bytes = ${2 ** 30 + 150}`.execute(hub.database.db);
    hub.advance(300);
    given = { status: 200 };
    await exporter.exportDue();
    expect(await status()).toMatchObject([{ dropped: 5, sent: 1, lagSecs: 0 }]);
    expect(accepted).toHaveLength(1);
  });

  test('a collector that stalls keeps no other project waiting', async () => {
    const { accepted, url } = await collector();
    await configure(await stalledCollector());
    const other = await seedProject(hub);
    const { deviceId: device } = await seedDevice(hub, other);
    await configure(url, {}, other);
    await publish(['slow']);
    await publish(['fast'], {}, device);
    const outgoing = openedOutgoing();
    exporting(outgoing);
    await expect.poll(() => textsOf(accepted), { timeout: 5_000 }).toEqual(['fast']);
    await outgoing.close();
  });
});

describe('the configuration', () => {
  const read = async () =>
    (await hub.as(project.owner, 'projects_GetOtlpConfig', { projectId: project.projectId })).config;
  const refused = async (config: Config) =>
    (await hub.refusal(project.owner, 'projects_SetOtlpConfig', { projectId: project.projectId, config }))
      .message;

  test('values of headers are never read, and kept where they are written back masked, but not for another server', async () => {
    const { requests, url } = await collector();
    expect(await read()).toEqual({ enabled: false, headers: {} });
    await configure(url, { headers: { 'x-key': 'secret words' } });
    expect(await read()).toEqual({
      enabled: true,
      endpoint: url,
      headers: { 'x-key': '***' },
      streams: ['events'],
    });
    await configure(url, { headers: { 'X-Key': '***', 'x-more': '1' } });
    await publish(['x']);
    await exporting().exportDue();
    expect(requests[0]?.headers).toMatchObject({ 'x-key': 'secret words', 'x-more': '1' });
    const elsewhere = {
      enabled: true,
      endpoint: 'https://evil.example/v1/logs',
      headers: { 'x-key': '***' },
    };
    expect(await refused(elsewhere)).toMatch(/on another server/);
    const { rows } = await sql`
      select * from otlp_exports where position('secret words'::bytea in sealed) > 0 union all select * from otlp_exports where sealed is null`.execute(
      hub.database.db,
    );
    expect(rows).toEqual([]);
  });

  test('what cannot be one is refused in a sentence', async () => {
    const endpoint = 'https://collector.example/v1/logs';
    expect(await refused({ enabled: true, headers: {} })).toMatch(/needs an endpoint/);
    expect(await refused({ enabled: true, endpoint: 'ftp://x', headers: {} })).toMatch(/whole URL/);
    expect(await refused({ enabled: true, endpoint, headers: { 'a b': 'x' } })).toMatch(/cannot be named/);
    expect(await refused({ enabled: true, endpoint, headers: { Host: 'x' } })).toMatch(
      /sets the header "Host" itself/,
    );
    expect(await refused({ enabled: true, endpoint, headers: { a: 'x\r\ny: z' } })).toMatch(/ASCII/);
    expect(await refused({ enabled: true, endpoint, headers: { a: '***' } })).toMatch(/has no value yet/);
    expect(await refused({ enabled: true, endpoint, headers: {}, filter: 'colour:red' })).toMatch(/colour/);
  });

  test('only owners see and change it', async () => {
    const member = await seedMember(hub, project);
    const { projectId } = project;
    for (const [name, input] of [
      ['projects_GetOtlpConfig', { projectId }],
      ['projects_GetOtlpStatus', { projectId }],
      ['projects_SendOtlpTestEvent', { projectId }],
      ['projects_SetOtlpConfig', { projectId, config: { enabled: false, headers: {} } }],
    ] as const)
      expect(await hub.refusal(member, name, input)).toMatchObject({ kind: 'Forbidden' });
  });

  test('switched off, nothing is exported, and what happened meanwhile stays here', async () => {
    const { accepted, url } = await collector();
    await configure(url);
    const exporter = exporting();
    await configure(url, { enabled: false });
    await publish(['meanwhile']);
    await exporter.exportDue();
    expect(await status()).toEqual([]);
    await configure(url);
    await publish(['again']);
    await exporter.exportDue();
    expect(textsOf(accepted)).toEqual(['again']);
  });

  test('a test event is sent at once, and how the collector took it is said; one inside the network is not connected to', async () => {
    let given: Answer = { status: 200 };
    const { accepted, url } = await collector(() => given);
    const { projectId } = project;
    const send = () => hub.as(project.owner, 'projects_SendOtlpTestEvent', { projectId });
    expect((await hub.refusal(project.owner, 'projects_SendOtlpTestEvent', { projectId })).message).toMatch(
      /no endpoint/,
    );
    await configure(url);
    expect(await send()).toEqual({
      isAccepted: true,
      message: expect.stringMatching(/has accepted the test event\.$/),
    });
    expect(textsOf(accepted)).toEqual(['Test event of Corral: the export over OTLP works.']);
    given = { status: 401 };
    expect(await send()).toEqual({ isAccepted: false, message: expect.stringMatching(/the status 401\.$/) });
    await publish(['x']);
    await exporting(openedOutgoing(outgoingRule([]))).exportDue();
    expect(await status()).toMatchObject([
      { sent: 0, lastError: expect.stringContaining('CORRAL_PRIVATE_TARGETS') },
    ]);
  });
});
