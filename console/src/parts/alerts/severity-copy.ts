import { catalogue } from '../../copy/catalogue.ts';

/** The words of how soon people should look. */
export const severityCopy = catalogue('alertSeverity', {
  Critical: 'Critical',
  Warning: 'Warning',
  Info: 'Info',
});
