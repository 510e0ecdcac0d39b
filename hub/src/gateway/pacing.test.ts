import { randomBytes } from 'node:crypto';
import { ids, randomSymbols } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectLink, deviceHeaders, isOpen, newDevice, type Refusal } from '../../test/device-client.ts';
import { deviceDoor, type DeviceDoor } from '../../test/device-door.ts';
import { newFingerprint } from '../../test/seed.ts';
import type { AdmissionError } from './AdmissionError.ts';
import { ConnectPace } from './connect-pace.ts';
import type { DeviceCredentials } from './credentials.ts';
import { ReturnTimes } from './return-times.ts';

const token = ids.deploymentToken.of(randomSymbols(66, randomBytes));
const device = (isRegistered = true): DeviceCredentials => ({
  kind: 'device',
  token,
  fingerprint: newFingerprint(),
  isRegistered,
});

function refusalOf(pace: ConnectPace, credentials: DeviceCredentials): AdmissionError | undefined {
  try {
    pace.mustBeInTime(credentials);
    return undefined;
  } catch (error) {
    return error as AdmissionError;
  }
}

/** A fleet that knocks at once and comes back when it is told to; how many seconds each has taken. */
function storm(size: number): { waitsSecs: number[]; mostInSecond: number } {
  let nowMs = 0;
  const pace = new ConnectPace(() => nowMs);
  const due = new Map<number, DeviceCredentials[]>([[0, Array.from({ length: size }, () => device())]]);
  const waitsSecs: number[] = [];
  let mostInSecond = 0;
  for (let second = 0; waitsSecs.length < size && second < 600; second += 1) {
    let admitted = 0;
    const knocking = due.get(second) ?? [];
    for (const [index, credentials] of knocking.entries()) {
      nowMs = second * 1_000 + (index * 1_000) / knocking.length;
      const refusal = refusalOf(pace, credentials);
      const backAt = second + (refusal?.retryAfterSecs ?? 0);
      if (refusal === undefined) admitted += waitsSecs.push(second) > 0 ? 1 : 0;
      else due.set(backAt, [...(due.get(backAt) ?? []), credentials]);
    }
    if (second > 0) mostInSecond = Math.max(mostInSecond, admitted);
  }
  return { waitsSecs, mostInSecond };
}

describe('a fleet that comes back at once', () => {
  test('of 10,000 is let in by half within 20 s and whole within 60 s, at 500 a second', () => {
    const { waitsSecs, mostInSecond } = storm(10_000);
    expect(waitsSecs).toHaveLength(10_000);
    expect(waitsSecs[4_999]).toBeLessThanOrEqual(20);
    expect(waitsSecs.at(-1)).toBeLessThanOrEqual(60);
    expect(mostInSecond).toBeLessThanOrEqual(500);
  });

  test('that is small is hardly kept waiting', () => {
    expect(storm(1_200).waitsSecs.at(-1)).toBeLessThanOrEqual(10);
  });

  test('is told times that lie apart, the last of them no later than it must be', () => {
    const times = new ReturnTimes(100, () => 0);
    const secs = Array.from({ length: 3_000 }, () => times.nextSecs());
    const perSecond = Map.groupBy(secs, (each) => each);
    expect(Math.max(...[...perSecond.values()].map((group) => group.length))).toBeLessThanOrEqual(150);
    expect(Math.min(...secs)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...secs)).toBeLessThanOrEqual(1 + 30 * 1.2);
  });
});

describe('a hub that is late with other work', () => {
  /** How many of a thousand that knock within two seconds, after one of such looks, are let in. */
  const letIn = (latenessMs: readonly number[]): number => {
    let nowMs = 0;
    const pace = new ConnectPace(() => nowMs);
    // The burst is used up, so that only the rate counts.
    for (let count = 0; count < 500; count += 1) pace.mustBeInTime(device());
    for (const lateMs of latenessMs) pace.observe(lateMs);
    let admitted = 0;
    for (let count = 0; count < 1_000; count += 1) {
      nowMs += 2;
      if (refusalOf(pace, device()) === undefined) admitted += 1;
    }
    return admitted;
  };
  const looks = (seconds: number, lateMs: number): number[] =>
    Array.from({ length: seconds * 20 }, () => lateMs);

  test('lets in fewer, but never none, and all again once it is in time', () => {
    expect(letIn(looks(5, 2))).toBe(1_000);
    const fewer = letIn(looks(5, 40));
    expect(fewer).toBeGreaterThan(590);
    expect(fewer).toBeLessThan(610);
    expect(letIn([...looks(5, 40), ...looks(8, 0)])).toBe(1_000);
  });

  test('minds no single moment', () => {
    expect(letIn([...looks(1, 2), 45, ...looks(1, 2)])).toBeGreaterThan(950);
  });
});

describe('a device that connects without end', () => {
  test('costs others no place, and may again as time passes', () => {
    let nowMs = 0;
    const pace = new ConnectPace(() => nowMs);
    const greedy = device();
    const refusals = Array.from({ length: 2_000 }, () => refusalOf(pace, greedy)).filter(Boolean);
    expect(refusals).toHaveLength(1_970);
    expect(refusals[0]).toMatchObject({ status: 429, message: 'This device connects too often.' });
    const others = Array.from({ length: 400 }, () => refusalOf(pace, device())).filter(Boolean);
    expect(others).toEqual([]);
    nowMs += 2_000;
    expect(refusalOf(pace, greedy)).toBeUndefined();
  });

  test('and breaks the rules each time, is let in three times at once, and again after a while', () => {
    let nowMs = 0;
    const pace = new ConnectPace(() => nowMs);
    const broken = device();
    const attempts = (count: number): number => {
      let letIn = 0;
      for (let attempt = 0; attempt < count; attempt += 1) {
        if (refusalOf(pace, broken) === undefined) letIn += 1;
      }
      return letIn;
    };
    for (let count = 0; count < 3; count += 1) pace.mustBeInTime(broken)();
    expect(attempts(5)).toBe(0);
    nowMs += 60_000;
    // An agent that its service manager restarts after a minute always gets in.
    expect(attempts(1)).toBe(1);
  });

  test('by one-shot commands, in a loop of two hundred, is let in each time', () => {
    const pace = new ConnectPace(() => 0);
    const script = device(false);
    const refusals = Array.from({ length: 200 }, () => refusalOf(pace, script)).filter(Boolean);
    expect(refusals).toEqual([]);
    expect(refusalOf(pace, script)).toMatchObject({ status: 429 });
  });
});

describe('at the door', () => {
  let door: DeviceDoor;
  beforeAll(async () => void (door = await deviceDoor()));
  afterAll(() => door[Symbol.asyncDispose]());

  test('who comes too often is told when to come back, while another is let in', async () => {
    const known = await newDevice();
    const knock = () => connectLink(door.url, deviceHeaders(known, door.token));
    const refused: Refusal[] = [];
    // Places come back as time passes, so that there is no knowing which of many is the first too many.
    for (let count = 0; count < 400 && refused.length < 3; count += 1) {
      const answer = await knock();
      if (isOpen(answer)) answer.connection.close('');
      else refused.push(answer);
    }
    expect(refused).toHaveLength(3);
    for (const { status, retryAfter, body } of refused) {
      expect([status, body.kind]).toEqual([429, 'Internal']);
      expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
    }
    (await door.connectDevice()).connection.close('');
  });
});
