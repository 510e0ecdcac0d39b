import { importOverrides } from './import-rules.ts';
import type { Override } from './import-pattern.ts';

const injectClock = {
  object: 'Date',
  property: 'now',
  message: 'Take the clock as a parameter (a handler receives `now`), so that a test can advance it.',
};
const readConfiguration = {
  object: 'process',
  property: 'env',
  message: 'Only hub/src/config/ reads the environment: add a key there and take its value as a parameter.',
};
const nameColumns = ['selectAll', 'returningAll'].map((property) => ({
  property,
  message:
    'Name the columns: a statement of this release that is prepared on an open connection fails when the next release adds a column.',
}));
const tests = ['**/*.{test,e2e}.{ts,tsx}', '**/test/**', '**/fixtures/**'];

const functionLimit = (max: number) => ['error', { max, skipBlankLines: true, skipComments: true }];

const processOverrides: Override[] = [
  {
    files: ['hub/src/**/*.ts'],
    rules: {
      'no-console': 'error',
      'no-restricted-properties': ['error', injectClock, readConfiguration, ...nameColumns],
    },
  },
  { files: ['multiplex/src/**/*.ts'], rules: { 'no-restricted-properties': ['error', injectClock] } },
  { files: ['agent/src/**/*.ts'], rules: { 'no-console': 'error' } },
  // Only these files may use the real clock.
  {
    files: ['hub/src/main.ts', 'hub/src/{wiring,operator}/**'],
    rules: { 'no-restricted-properties': ['error', readConfiguration, ...nameColumns] },
  },
  {
    files: ['hub/src/config/**'],
    rules: { 'no-restricted-properties': ['error', injectClock, ...nameColumns] },
  },
];

// JSX counts a line for each attribute.
const componentOverride: Override = {
  files: ['**/*.tsx'],
  rules: { 'max-lines-per-function': functionLimit(100) },
};

const testOverride: Override = {
  files: tests,
  rules: {
    'no-restricted-properties': 'off',
    'no-console': 'off',
    'typescript/no-non-null-assertion': 'off',
    'max-lines-per-function': 'off',
  },
};

const consoleOverride: Override = {
  files: ['console/**/*.{ts,tsx}'],
  rules: {
    'react/rules-of-hooks': 'error',
    'react/exhaustive-deps': 'error',
    // These three rules ignore components and scrollable regions; axe checks the rendered page.
    'jsx-a11y/control-has-associated-label': 'off',
    'jsx-a11y/no-noninteractive-tabindex': 'off',
    'jsx-a11y/prefer-tag-over-role': 'off',
    // Only relevant with React's compiler.
    'react/incompatible-library': 'off',
  },
};

// These files run uncompiled in old browsers and old versions of Node.
const plainScriptOverride: Override = { files: ['**/*.{js,cjs}'], rules: { 'no-var': 'off' } };

// Playwright reads the fixtures that a fixture needs from the pattern of its first parameter, which may be empty.
const fixtureOverride: Override = { files: ['e2e/**/*.ts'], rules: { 'no-empty-pattern': 'off' } };

// Tools load these files by their default export.
const defaultExportOverride: Override = {
  files: ['**/*.config.ts', '**/*-reporter.ts', '**/global-setup.ts', '**/global-teardown.ts'],
  rules: { 'import/no-default-export': 'off' },
};

/** The configuration of oxlint for the whole repository. */
export const lintRules = {
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'react', 'jsx-a11y'],
  categories: { correctness: 'error' },
  ignorePatterns: ['**/dist/**', '**/*.gen.ts'],
  options: { typeAware: true },
  rules: {
    eqeqeq: 'error',
    'no-var': 'error',
    'prefer-const': 'error',
    'no-throw-literal': 'error',
    'no-self-compare': 'error',
    'max-lines-per-function': functionLimit(50),
    'import/no-default-export': 'error',
    'import/no-cycle': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/consistent-type-imports': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': ['error', { checksVoidReturn: false }],
    // Objects here are literals with closures, whose methods use no `this`.
    'typescript/unbound-method': 'off',
    'typescript/no-base-to-string': 'off',
    'typescript/no-misused-spread': 'off',
    // `() => void list.push(x)` keeps an arrow function's type void.
    'typescript/no-meaningless-void-operator': 'off',
  },
  overrides: [
    ...importOverrides,
    ...processOverrides,
    componentOverride,
    consoleOverride,
    testOverride,
    plainScriptOverride,
    fixtureOverride,
    defaultExportOverride,
  ],
};
