/** The texts of the shell about the connection to the hub, and of the print footer. */
export const enShell = {
  offline: 'The hub cannot be reached. What you see may be old, and nothing can be changed until it is back.',
  offlineReason: 'The hub cannot be reached right now.',
  lastHeard: 'Last heard',
  tryNow: 'Try now',
  pageNotLoaded:
    'This part of the console could not be loaded, because the hub cannot be reached. Retry when it is back.',
  printed: (when: string, zone: string) => `printed ${when}, times are ${zone}`,
} as const;
