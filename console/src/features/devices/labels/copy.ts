import { catalogue } from '../../../copy/catalogue.ts';
import { count } from '../../../copy/count.ts';

const devices = (n: number) => count(n, 'device', 'devices');

/** The texts of the labels of devices. */
export const labelsCopy = catalogue('labels', {
  title: 'Labels',
  set: 'Set label…',
  remove: 'Remove label…',
  add: 'Add label',
  edit: 'Change…',
  show: (name: string, value: string) => `Devices with ${name}: ${value}`,
  setTitle: (n: number) => (n === 1 ? 'Set a label' : `Set a label of ${devices(n)}`),
  removeTitle: (n: number) => (n === 1 ? 'Remove a label' : `Remove a label of ${devices(n)}`),
  titleAll: (isSet: boolean) => `${isSet ? 'Set' : 'Remove'} a label of all devices that match`,
  setText: 'Their other labels stay as they are.',
  setTextOne: 'Labels say what the device does not say itself, such as its site.',
  setVerb: 'Set label',
  removeVerb: 'Remove label',
  name: 'Label',
  namePlaceholder: 'site',
  value: 'Value',
  known: (what: string) => `Known for ${what}`,
  removed: (n: number, name: string) => `The label ${name} was removed from ${devices(n)}`,
  notRemoved: 'The label was not removed',
});
