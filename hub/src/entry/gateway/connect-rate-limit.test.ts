import { describe, expect, test } from 'vitest';
import {
  address,
  device,
  newToken,
  refusalOf,
  token,
  unknownUser,
  useUp,
} from '../../../test/connect-attempts.ts';
import { ConnectRateLimit, RetryAfterSchedule } from './connect-rate-limit.ts';
import type { DeviceCredentials } from './credentials.ts';

/** Attempts with unknown tokens; each that may begin is rejected. Returns how many began. */
function flood(limit: ConnectRateLimit, count: number, from = address): number {
  let begun = 0;
  for (let attempt = 0; attempt < count; attempt += 1) {
    try {
      limit.begin(unknownUser(), from).rejected();
      begun += 1;
    } catch {
      // Refused before its token was checked.
    }
  }
  return begun;
}

/** A fleet that connects at once and obeys Retry-After: the second in which each was admitted, and the most admitted in one second. */
function storm(size: number): {
  admittedAtSecs: number[];
  maxInSecond: number;
} {
  let nowMs = 0;
  const limit = new ConnectRateLimit(() => nowMs);
  const due = new Map<number, DeviceCredentials[]>([[0, Array.from({ length: size }, () => device())]]);
  const admittedAtSecs: number[] = [];
  let maxInSecond = 0;
  for (let second = 0; admittedAtSecs.length < size && second < 600; second += 1) {
    let admitted = 0;
    const connecting = due.get(second) ?? [];
    for (const [index, credentials] of connecting.entries()) {
      nowMs = second * 1_000 + (index * 1_000) / connecting.length;
      const refusal = refusalOf(limit, credentials);
      const backAt = second + (refusal?.retryAfterSecs ?? 0);
      if (refusal === undefined) admitted += admittedAtSecs.push(second) > 0 ? 1 : 0;
      else due.set(backAt, [...(due.get(backAt) ?? []), credentials]);
    }
    if (second > 0) maxInSecond = Math.max(maxInSecond, admitted);
  }
  return { admittedAtSecs, maxInSecond };
}

describe('a fleet that reconnects at once', () => {
  test('of 15,000 is admitted by half within 30 s and entirely within 60 s, at 500 a second at most', () => {
    const { admittedAtSecs, maxInSecond } = storm(15_000);
    expect(admittedAtSecs).toHaveLength(15_000);
    expect(admittedAtSecs[7_499]).toBeLessThanOrEqual(30);
    expect(admittedAtSecs.at(-1)).toBeLessThanOrEqual(60);
    expect(maxInSecond).toBeLessThanOrEqual(500);
  });

  test('gets Retry-After times that are spread, the last no later than the rate requires', () => {
    const schedule = new RetryAfterSchedule(100, () => 0);
    const secs = Array.from({ length: 3_000 }, () => schedule.nextSecs());
    const perSecond = Map.groupBy(secs, (each) => each);
    expect(Math.max(...[...perSecond.values()].map((group) => group.length))).toBeLessThanOrEqual(150);
    expect(Math.min(...secs)).toBeGreaterThanOrEqual(1);
    expect(Math.max(...secs)).toBeLessThanOrEqual(1 + 30 * 1.2);
  });
});

describe('a device that connects again and again', () => {
  test('uses up nothing of others, and may connect again as time passes', () => {
    let nowMs = 0;
    const limit = new ConnectRateLimit(() => nowMs);
    const greedy = device();
    const refusals = Array.from({ length: 2_000 }, () => refusalOf(limit, greedy)).filter(Boolean);
    expect(refusals).toHaveLength(1_970);
    expect(refusals[0]).toMatchObject({
      status: 429,
      message: 'This device connects too often.',
    });
    const others = Array.from({ length: 400 }, () => refusalOf(limit, device())).filter(Boolean);
    expect(others).toEqual([]);
    nowMs += 2_000;
    expect(refusalOf(limit, greedy)).toBeUndefined();
  });

  test('and violates the protocol each time is admitted three times, and again after a while', () => {
    let nowMs = 0;
    const limit = new ConnectRateLimit(() => nowMs);
    const broken = device();
    const admittedOf = (count: number): number =>
      Array.from({ length: count }, () => refusalOf(limit, broken)).filter((refusal) => !refusal).length;
    for (let count = 0; count < 3; count += 1) limit.begin(broken, address).penalize();
    expect(admittedOf(5)).toBe(0);
    nowMs += 1_000;
    // One every ten seconds, as long as it goes on.
    limit.begin(broken, address).penalize();
    nowMs += 9_000;
    expect(admittedOf(1)).toBe(0);
    nowMs += 1_000;
    limit.begin(broken, address).penalize();
    nowMs += 60_000;
    // An agent that its service manager restarts after a minute is always admitted.
    expect(admittedOf(1)).toBe(1);
  });
});

describe('wrong credentials', () => {
  test('are refused from their address after 300 failures, then as many as 10 a second', () => {
    let nowMs = 0;
    const limit = new ConnectRateLimit(() => nowMs);
    expect(flood(limit, 1_000)).toBe(300);
    const refusal = refusalOf(limit, unknownUser());
    expect(refusal).toMatchObject({
      status: 429,
      message: 'There were too many failed attempts from this address.',
    });
    expect(refusal?.retryAfterSecs).toBeLessThanOrEqual(10);
    nowMs += 1_000;
    expect(flood(limit, 1_000)).toBe(10);
  });

  test('of a whole IPv6 /64 count together, and those of another address apart', () => {
    const limit = new ConnectRateLimit(() => 0);
    flood(limit, 300, '2001:db8::1');
    expect(refusalOf(limit, device(), '2001:db8::2')).toMatchObject({
      status: 429,
    });
    expect(refusalOf(limit, device(), '2001:db8:0:1::2')).toBeUndefined();
  });

  test('keep out no device behind the same address that was admitted before', () => {
    const limit = new ConnectRateLimit(() => 0);
    const neighbour = device();
    limit.begin(neighbour, address).accepted();
    flood(limit, 1_000);
    expect(refusalOf(limit, neighbour)).toBeUndefined();
    // A secret that is no longer valid counts as a wrong one.
    limit.begin(neighbour, address).rejected();
    expect(refusalOf(limit, neighbour)).toMatchObject({ status: 429 });
  });

  test('do not move the Retry-After of a good device', () => {
    const limit = new ConnectRateLimit(() => 0);
    flood(limit, 200);
    // Others use up the burst of simultaneous connects.
    useUp(limit);
    for (let count = 0; count < 2_000; count += 1) refusalOf(limit, unknownUser());
    const refusal = refusalOf(limit, device(), '203.0.113.3');
    expect(refusal).toMatchObject({ status: 429 });
    expect(refusal?.retryAfterSecs).toBeLessThanOrEqual(3);
  });
});

describe('new devices that are refused with a good deployment token', () => {
  /** Attempts with new fingerprints; each that may begin is refused after its check. Returns how many began. */
  const refuse = (limit: ConnectRateLimit, count: number, from = address, withToken = token): number => {
    let begun = 0;
    for (let attempt = 0; attempt < count; attempt += 1) {
      try {
        limit.begin(device(true, withToken), from).refused();
        begun += 1;
      } catch {
        // Refused before its check.
      }
    }
    return begun;
  };

  test('are refused before their check after 300 from one address, then as many as 20 a second', () => {
    let nowMs = 0;
    const limit = new ConnectRateLimit(() => nowMs);
    expect(refuse(limit, 2_000)).toBe(300);
    const refusal = refusalOf(limit, device());
    expect(refusal).toMatchObject({
      status: 429,
      message: 'Too many devices with this deployment token were refused. Try again later.',
    });
    expect(refusal?.retryAfterSecs).toBeGreaterThanOrEqual(10);
    expect(refusal?.retryAfterSecs).toBeLessThan(30);
    nowMs += 1_000;
    expect(refuse(limit, 2_000)).toBe(20);
  });

  test('hold up no device that was admitted before, no other token and nobody at another address', () => {
    const limit = new ConnectRateLimit(() => 0);
    const known = device();
    limit.begin(known, address).accepted();
    refuse(limit, 2_000);
    expect(refusalOf(limit, known)).toBeUndefined();
    expect(refusalOf(limit, device(true, newToken()))).toBeUndefined();
    expect(refusalOf(limit, unknownUser())).toBeUndefined();
    expect(refusalOf(limit, device(), '203.0.113.2')).toBeUndefined();
    // A device that is refused now is as a new one.
    limit.begin(known, address).refused();
    expect(refusalOf(limit, known)).toMatchObject({ status: 429 });
  });

  test('are limited for a token at many addresses, and for many tokens at one', () => {
    let nowMs = 0;
    const limit = new ConnectRateLimit(() => nowMs);
    // Later the hub has room for new connections, and a tenth as many refusals are forgotten.
    const laterBy = (seconds: number): void => void (nowMs += seconds * 1_000);
    let begun = 0;
    for (let network = 0; network < 10; network += 1) {
      begun += refuse(limit, 300, `198.51.100.${network}`);
      laterBy(1);
    }
    expect(begun).toBeGreaterThanOrEqual(1_000);
    expect(begun).toBeLessThanOrEqual(2_000);
    expect(refuse(limit, 300, '198.51.100.99')).toBeLessThanOrEqual(100);
    expect(refusalOf(limit, device(true, newToken()), '198.51.100.99')).toBeUndefined();
    laterBy(100);
    begun = 0;
    for (let index = 0; index < 10; index += 1) {
      begun += refuse(limit, 300, address, newToken());
      laterBy(1);
    }
    expect(begun).toBeGreaterThanOrEqual(1_000);
    expect(begun).toBeLessThanOrEqual(1_500);
    expect(refuse(limit, 300, address, newToken())).toBeLessThanOrEqual(50);
  });

  test('do not move the Retry-After of a good device', () => {
    const limit = new ConnectRateLimit(() => 0);
    refuse(limit, 200);
    // Others use up the burst of simultaneous connects.
    useUp(limit);
    for (let count = 0; count < 2_000; count += 1) refusalOf(limit, device());
    const refusal = refusalOf(limit, device(true, newToken()), '203.0.113.3');
    expect(refusal).toMatchObject({
      status: 429,
      message: 'Too many connections begin at once.',
    });
    expect(refusal?.retryAfterSecs).toBeLessThanOrEqual(3);
  });

  test('are not those of a fleet that returns after a restart: 15,000 devices with one token are admitted within 60 s', () => {
    const { admittedAtSecs } = storm(15_000);
    expect(admittedAtSecs).toHaveLength(15_000);
    expect(admittedAtSecs.at(-1)).toBeLessThanOrEqual(60);
  });
});
