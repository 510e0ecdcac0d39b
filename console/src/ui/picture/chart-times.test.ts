import { afterEach, expect, it, vi } from 'vitest';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

it('ticks are at times of day that are round where the machine is', async () => {
  vi.stubEnv('TZ', 'Asia/Kathmandu');
  vi.resetModules();
  const { ticksOf } = await import('./chart-times.ts');
  const fromMs = Date.UTC(2026, 10, 1, 10, 7, 12);
  const ends = ['', ''] as const;
  const texts = (stepMs: number) => ticksOf({ fromMs, stepMs, steps: 60, ends }).map(({ text }) => text);
  expect(texts(60_000)).toEqual(['16:00', '16:10', '16:20', '16:30', '16:40', '16:50']);
  expect(texts(5 * 60_000)).toEqual(['16:00', '17:00', '18:00', '19:00', '20:00']);
  expect(texts(30 * 60_000)).toEqual(['18:00', '00:00', '06:00', '12:00', '18:00']);
});
