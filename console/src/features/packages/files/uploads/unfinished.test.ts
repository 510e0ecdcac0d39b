import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  forgetUnfinished,
  isUnfinishedUpload,
  onForgottenElsewhere,
  rememberUnfinished,
  unfinishedUploads,
} from './unfinished.ts';

beforeEach(() => {
  localStorage.clear();
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

test('the files of a version are remembered until they are complete, each for itself', () => {
  rememberUnfinished('a', ['press.img', 'notes of today.txt']);
  rememberUnfinished('b', ['other.img']);
  vi.advanceTimersByTime(1);
  rememberUnfinished('a', ['later.img']);
  expect(unfinishedUploads('a')).toEqual(['notes of today.txt', 'press.img', 'later.img']);
  forgetUnfinished('a', ['press.img', 'unknown.img']);
  expect(unfinishedUploads('a')).toEqual(['notes of today.txt', 'later.img']);
  expect(isUnfinishedUpload('a', 'press.img')).toBe(false);
  expect(isUnfinishedUpload('a', 'later.img')).toBe(true);
  expect(unfinishedUploads('b')).toEqual(['other.img']);
  forgetUnfinished('b', ['other.img']);
  forgetUnfinished('a', ['later.img', 'notes of today.txt']);
  expect(localStorage.length).toBe(0);
});

test('a tab that writes from an old view of the storage takes no file of another tab', () => {
  rememberUnfinished('a', ['press.img']);
  // The other tab writes after this one has read the storage and before this one writes.
  const setItem = vi.spyOn(Storage.prototype, 'setItem').mockImplementationOnce((...pair) => {
    setItem.mockRestore();
    rememberUnfinished('a', ['of-the-other-tab.img']);
    forgetUnfinished('a', ['press.img']);
    localStorage.setItem(...pair);
  });
  rememberUnfinished('a', ['notes.txt']);
  expect(unfinishedUploads('a')).toEqual(['notes.txt', 'of-the-other-tab.img']);
});

test('the last 1,000 files are remembered, and nothing else in the storage is touched', () => {
  localStorage.setItem('corral.theme', 'dark');
  const names = Array.from({ length: 600 }, (_, index) => `${index}.img`);
  for (const version of ['a', 'b']) {
    rememberUnfinished(version, names);
    vi.advanceTimersByTime(1);
  }
  expect([unfinishedUploads('a').length, unfinishedUploads('b').length]).toEqual([400, 600]);
  expect(localStorage.getItem('corral.theme')).toBe('dark');
});

test('without storage nothing is remembered, and nothing fails', () => {
  const setItem = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  rememberUnfinished('a', ['press.img']);
  setItem.mockRestore();
  expect(unfinishedUploads('a')).toEqual([]);
});

test('a listener is told which unfinished uploads another tab has removed', () => {
  const heard: string[][] = [];
  onForgottenElsewhere((ownerId, filename) => heard.push([ownerId, filename]));
  const change = (key: string | null, newValue: string | null) =>
    window.dispatchEvent(new StorageEvent('storage', { key, newValue }));
  rememberUnfinished('a', ['notes of today.txt']);
  const key = localStorage.key(0)!;
  change(key, null);
  change(key, '1');
  change('corral.theme', null);
  change(null, null);
  expect(heard).toEqual([['a', 'notes of today.txt']]);
});
