import { beforeEach, describe, expect, test } from 'vitest';
import { address, device, newToken, refusalOf, unknownUser } from '../../../test/connect-attempts.ts';
import { ConnectRateLimit } from './connect-rate-limit.ts';
import type { DeviceCredentials, UserCredentials } from './credentials.ts';
import type { AdmissionError } from './refuse-upgrade.ts';

describe('a user with hundreds of tokens', () => {
  const tokensOfUser = (count: number): UserCredentials[] => Array.from({ length: count }, unknownUser);
  /** Connects once with each; returns how many were admitted. */
  const connect = (limit: ConnectRateLimit, all: readonly UserCredentials[], userId: string): number => {
    let admitted = 0;
    for (const credentials of all) {
      try {
        limit.begin(credentials, address).accepted({ userId });
        admitted += 1;
      } catch {
        // Refused.
      }
    }
    return admitted;
  };

  test('is not charged for a token that is not valid any more', () => {
    let nowMs = 0;
    const limit = new ConnectRateLimit(() => nowMs);
    const [ended, script] = tokensOfUser(2) as [UserCredentials, UserCredentials];
    expect(connect(limit, [ended, script], 'u_1')).toBe(2);
    for (let count = 0; count < 250; count += 1) limit.begin(ended, address).rejected();
    nowMs += 1_000;
    expect(
      connect(
        limit,
        Array.from({ length: 199 }, () => script),
        'u_1',
      ),
    ).toBe(199);
  });
});

describe('a project of which 3,000 devices connect again and again, whatever Retry-After says', () => {
  const elsewhere = '203.0.113.9';
  let nowMs: number;
  let limit: ConnectRateLimit;
  let greedy: DeviceCredentials[];

  /** Connects unless it is refused; returns in how many seconds it may come back. */
  const connect = (credentials: DeviceCredentials, projectId: string, from: string): number | undefined => {
    try {
      limit.begin(credentials, from).accepted({ projectId });
      return undefined;
    } catch (error) {
      return (error as AdmissionError).retryAfterSecs;
    }
  };
  /** A second in which all greedy devices try, and use up the overall rate, and others in between. */
  const passSecond = (others: readonly (() => void)[] = []): void => {
    for (const [index, credentials] of greedy.entries()) {
      nowMs += 1_000 / greedy.length;
      connect(credentials, 'greedy', address);
      const from = Math.floor((index * others.length) / greedy.length);
      const to = Math.floor(((index + 1) * others.length) / greedy.length);
      for (const other of others.slice(from, to)) other();
    }
  };

  beforeEach(() => {
    nowMs = 0;
    limit = new ConnectRateLimit(() => nowMs);
    greedy = Array.from({ length: 3_000 }, () => device());
    passSecond();
    passSecond();
  });

  test('keeps out no small project, user or new device', () => {
    const small = newToken();
    const devices = Array.from({ length: 80 }, () => connect(device(true, small), 'small', elsewhere));
    expect(devices).toEqual(devices.map(() => undefined));
    // The address of the greedy project has used up its share, but the user is known by the token.
    const user = unknownUser();
    limit.begin(user, '203.0.113.10').accepted({ userId: 'u_1' });
    expect(refusalOf(limit, user)).toBeUndefined();
    expect(refusalOf(limit, unknownUser(), '203.0.113.11')).toBeUndefined();
    // What is kept for others is nothing for itself.
    expect(refusalOf(limit, device(), elsewhere)).toMatchObject({
      status: 429,
    });
  });

  test('holds up another large one by one turn of its devices only', () => {
    const other = newToken();
    const due = new Map([[0, Array.from({ length: 1_500 }, () => device(true, other))]]);
    let admitted = 0;
    const tryAt = (second: number, credentials: DeviceCredentials): void => {
      const retryAfterSecs = connect(credentials, 'other', elsewhere);
      if (retryAfterSecs === undefined) admitted += 1;
      else due.set(second + retryAfterSecs, [...(due.get(second + retryAfterSecs) ?? []), credentials]);
    };
    const pass = (second: number) =>
      passSecond((due.get(second) ?? []).map((credentials) => () => tryAt(second, credentials)));
    for (let second = 0; second < 15; second += 1) pass(second);
    expect(admitted).toBeGreaterThan(1_400);
    for (let second = 15; second < 30; second += 1) pass(second);
    expect(admitted).toBe(1_500);
  });

  test('delays nobody by attempts before the time that was told', () => {
    const before = refusalOf(limit, device())?.retryAfterSecs ?? 0;
    for (let second = 0; second < 5; second += 1) passSecond();
    // The devices of the project wait for one turn each, however often they tried.
    expect(before).toBeLessThanOrEqual(11);
    expect(refusalOf(limit, device())?.retryAfterSecs).toBeLessThanOrEqual(11);
  });
});
