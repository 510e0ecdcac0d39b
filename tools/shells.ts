import { findOrInstall } from './system-program.ts';

const need = 'The tests of the device kit need it';

/** The path of BusyBox, installed if needed. Throws one sentence. */
export function findOrInstallBusybox(): string {
  return findOrInstall({
    names: ['busybox'],
    places: ['/bin/busybox'],
    probe: ['true'],
    variable: 'CORRAL_TEST_BUSYBOX',
    debianPackage: 'busybox',
    need,
  });
}

/** The path of dash, installed if needed. Throws one sentence. */
export function findOrInstallDash(): string {
  return findOrInstall({
    names: ['dash'],
    places: ['/bin/dash'],
    probe: ['-c', 'true'],
    variable: 'CORRAL_TEST_DASH',
    debianPackage: 'dash',
    need,
  });
}
