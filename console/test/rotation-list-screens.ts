import type { ListScreen } from './list-screen.ts';
import { projectAnswers, projectId } from './project-answers.ts';

const rotation = (number: 1 | 2, deviceName: string) => ({
  deviceId: `d_${number}`,
  deviceName,
  state: 'Open',
  startedBy: { actor: 'System', kind: 'System' },
  startedAt: `2026-11-0${number}T10:00:00Z`,
  until: '2026-12-01T10:00:00Z',
  graceSecs: 86_400,
});

/** The list of rotations of certificates. */
export const rotationListScreens: readonly ListScreen[] = [
  {
    file: 'features/devices/rotation/RotationsPage.tsx',
    address: `/projects/${projectId}/devices/rotations`,
    table: 'Certificate rotations',
    columns: ['Device', 'State', 'What Comes', 'Reason', 'Started'],
    empty: 'No certificate was rotated yet',
    answers: (rows) => ({
      ...projectAnswers,
      devices_QueryCertificateRotations: () => ({ rotations: [...rows] }),
    }),
    rows: [rotation(2, 'quay'), rotation(1, 'mast')],
    texts: ['quay', 'mast'],
    finds: null,
    change: { topic: 'certificates', projectId },
  },
];
