import { describe, expect, test } from 'vitest';
import { ReceiveWindow, SendWindow } from './credit.ts';
import type { Growth } from './credit.ts';
import { ProtocolViolation } from './errors.ts';

/** Receives one frame in a single part. */
function arrive(window: ReceiveWindow, payloadBytes: number): void {
  window.begin(payloadBytes);
  window.receive(payloadBytes);
}

const growth: Growth = { roundTripMs: 100, maxFrames: 1_024, maxBytes: 1_048_576, shareBytes: Infinity };

/** Receives and consumes payloads until a credit is due, and returns it. */
function consumeUntilCredit(window: ReceiveWindow, payloadBytes: number, nowMs: number, limits = growth) {
  for (;;) {
    arrive(window, payloadBytes);
    window.consume(1, payloadBytes);
    const grant = window.topUp(nowMs, limits);
    if (grant !== undefined) return grant;
  }
}

describe('send window', () => {
  test('[CR2] each payload costs a frame and its length, and credit never falls below zero', () => {
    const window = new SendWindow(2, 100);
    window.spend(60);
    expect([window.frames, window.bytes, window.available]).toEqual([1, 40, 40]);
    expect(() => window.spend(41)).toThrow(RangeError);
    window.spend(40);
    expect(window.available).toBe(0);
    window.add(0, 50);
    expect(window.available).toBe(0);
    expect(() => window.spend(0)).toThrow(RangeError);
  });

  test('[CR7] credit is limited to 32 bits, and zero changes nothing', () => {
    const window = new SendWindow(128, 16_384);
    window.add(0, 0);
    expect([window.frames, window.bytes]).toEqual([128, 16_384]);
    window.add(0xffff_ffff - 128, 0xffff_ffff - 16_384);
    expect([window.frames, window.bytes]).toEqual([0xffff_ffff, 0xffff_ffff]);
    expect(() => window.add(1, 0)).toThrow(ProtocolViolation);
    expect(() => window.add(0, 1)).toThrow(ProtocolViolation);
  });
});

describe('receive window', () => {
  test('[CR3] one byte or one frame too many is a violation', () => {
    const bytes = new ReceiveWindow();
    arrive(bytes, 16_384);
    expect(() => bytes.begin(1)).toThrow(ProtocolViolation);
    const frames = new ReceiveWindow();
    for (let count = 0; count < 128; count += 1) arrive(frames, 1);
    expect(() => frames.begin(0)).toThrow(ProtocolViolation);
  });

  test('[CR4] consuming half of the bytes returns nothing, one more returns credit for all of them', () => {
    const window = new ReceiveWindow();
    arrive(window, 8_192);
    arrive(window, 1);
    window.consume(1, 8_192);
    expect(window.topUp(0, growth)).toBeUndefined();
    window.consume(1, 1);
    expect(window.topUp(0, growth)).toEqual({ frames: 2, bytes: 8_193 });
    expect([window.leftFrames, window.leftBytes]).toEqual([128, 16_384]);
  });

  test('[CR4] consuming more than half of the frames also returns credit', () => {
    const window = new ReceiveWindow();
    expect(consumeUntilCredit(window, 1, 0)).toEqual({ frames: 65, bytes: 65 });
  });

  test('[CR4] unread data returns no credit', () => {
    const window = new ReceiveWindow();
    for (let count = 0; count < 16; count += 1) arrive(window, 1_024);
    window.consume(9, 9_216);
    expect(window.topUp(0, growth)).toEqual({ frames: 9, bytes: 9_216 });
    expect(window.leftBytes + window.queuedBytes).toBe(16_384);
  });

  test('[CR5] a second top-up within two round trips doubles the window that ran short, and only that one', () => {
    const window = new ReceiveWindow();
    consumeUntilCredit(window, 4_096, 0);
    expect(window.windowBytes).toBe(16_384);
    const grant = consumeUntilCredit(window, 4_096, 199);
    expect([window.windowFrames, window.windowBytes]).toEqual([128, 32_768]);
    expect(grant).toEqual({ frames: 3, bytes: 3 * 4_096 + 16_384 });
    consumeUntilCredit(window, 1, 250);
    expect([window.windowFrames, window.windowBytes]).toEqual([256, 32_768]);
  });

  test('[CR5] after two round trips, or without a measured round trip, no window grows', () => {
    const slow = new ReceiveWindow();
    consumeUntilCredit(slow, 4_096, 0);
    consumeUntilCredit(slow, 4_096, 200);
    expect(slow.windowBytes).toBe(16_384);
    const unknown = new ReceiveWindow();
    const blind = { ...growth, roundTripMs: undefined };
    for (let count = 0; count < 5; count += 1) consumeUntilCredit(unknown, 4_096, 0, blind);
    expect(unknown.windowBytes).toBe(16_384);
  });

  test('[CR5] windows grow up to 1 024 frames and 1 MiB', () => {
    const window = new ReceiveWindow();
    for (let count = 0; count < 20; count += 1) consumeUntilCredit(window, 0, 0);
    expect(window.windowFrames).toBe(1_024);
    for (let count = 0; count < 20; count += 1) consumeUntilCredit(window, 4_096, 0);
    expect(window.windowBytes).toBe(1_048_576);
  });
});
