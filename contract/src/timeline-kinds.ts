/** The kinds of entries in the timeline of a device. */
export const timelineKinds = [
  'Connection',
  'Refusal',
  'Certificate',
  'Event',
  'Property',
  'Operation',
  'Alert',
  'Action',
] as const;
