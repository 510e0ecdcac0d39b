/** The texts of the shell that speak of the way to the hub. */
export const enShell = {
  offline: 'The hub cannot be reached. What you see may be old, and nothing can be changed until it is back.',
  offlineReason: 'The hub cannot be reached right now.',
  lastHeard: 'Last heard',
  tryNow: 'Try now',
  pageNotLoaded:
    'This part of the console could not be loaded, because the hub cannot be reached. Retry when it is back.',
  printed: (when: string, zone: string) => `printed ${when}, times are ${zone}`,
} as const;
