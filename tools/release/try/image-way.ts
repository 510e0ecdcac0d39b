import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '../run-tool.ts';
import { startContainer, unpackInto, type ContainerPlan } from './container.ts';
import { checkRunningContainer, checkVolumes } from './image-checks.ts';
import { startAgent } from './programs.ts';
import type { Way } from './ways.ts';

/** The image, run as any user of the group 0, read-only and without capabilities. */
export function image(archive: string): Way {
  return {
    name: 'image',
    install(folder) {
      const unpacked = unpackInto(archive, folder);
      const data = join(folder, 'data');
      mkdirSync(data);
      runTool('chmod', ['0770', data], folder);
      const planAt = (port: number): ContainerPlan => ({
        name: `corral-trial-${process.pid}`,
        image: unpacked,
        folder,
        data,
        env: {
          CORRAL_PORT: String(port),
          CORRAL_ALLOW_INSECURE_HTTP: 'true',
          CORRAL_DEVICE_CERTIFICATE_HEADER: 'on',
          CORRAL_PUBLIC_URL: `http://localhost:${port}`,
        },
      });
      let plan: ContainerPlan;
      return {
        files: unpacked.root,
        data,
        startHub: (port) => startContainer((plan = planAt(port))),
        startAgent: (hubUrl, token) =>
          // It runs on the machine: an image has no devices.
          startAgent(
            [join(unpacked.root, 'usr/lib/corral-hub/bin/corral-agent'), []],
            hubUrl,
            token,
            join(folder, 'agent'),
          ),
        async check(hub) {
          await checkRunningContainer(plan, hub);
          await checkVolumes(plan);
        },
        remove() {},
      };
    },
  };
}
