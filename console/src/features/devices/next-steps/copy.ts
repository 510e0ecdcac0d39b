import { catalogue } from '../../../copy/catalogue.ts';

/** The texts of what is worth doing after the first device. */
export const nextStepsCopy = catalogue('nextSteps', {
  title: 'Next steps',
  done: (done: number, all: number) => `${done} of ${all} done`,
  isDone: 'Done:',
  hide: 'Hide these steps',
  steps: {
    connect: ['Connect a device', ''],
    accept: ['Accept its certificate', 'It cannot connect before'],
    name: ['Give it a name', 'It is easier to find than an id'],
    open: ['Open its web interface or a port', 'From here, through any firewall'],
    invite: ['Invite a colleague', 'Members see the same devices'],
    publish: ['Publish software and link a repository', 'Devices pull their versions from it'],
  },
});
