import { beforeEach, expect, test, vi } from 'vitest';
import { rememberUnfinished, unfinishedUploads } from './unfinished.ts';

beforeEach(() => {
  localStorage.clear();
});

test('the files of a version are remembered until they are complete', () => {
  rememberUnfinished('a', ['press.img', 'notes.txt']);
  rememberUnfinished('b', ['other.img']);
  expect(unfinishedUploads('a')).toEqual(['press.img', 'notes.txt']);
  rememberUnfinished('a', []);
  expect([unfinishedUploads('a'), unfinishedUploads('b')]).toEqual([[], ['other.img']]);
  expect(localStorage.getItem('corral.unfinished-uploads')).toBe('{"b":["other.img"]}');
});

test('of many versions the last 20 are remembered, and of many files the first 20', () => {
  const names = Array.from({ length: 1000 }, (_, index) => `${index}.img`);
  for (let version = 0; version < 100; version += 1) rememberUnfinished(`version-${version}`, names);
  expect(unfinishedUploads('version-79')).toEqual([]);
  expect(unfinishedUploads('version-80')).toEqual(names.slice(0, 20));
  expect(unfinishedUploads('version-99')).toEqual(names.slice(0, 20));
});

test.each(['no JSON', 'null', '{"a":"b"}', '{"a":[1]}'])('what is not ours is ignored: %s', (stored) => {
  localStorage.setItem('corral.unfinished-uploads', stored);
  expect(unfinishedUploads('a')).toEqual([]);
});

test('without storage nothing is remembered, and nothing fails', () => {
  const setItem = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  rememberUnfinished('a', ['press.img']);
  setItem.mockRestore();
  expect(unfinishedUploads('a')).toEqual([]);
});
