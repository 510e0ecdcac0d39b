import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files of the last project that take long. At the end of the run each would keep one core busy and the others idle. */
const longest = [
  'tools/build-console.test.ts',
  'tools/bundle-budget.test.ts',
  'tools/build-program.test.ts',
  'client/src/transfer/delta.test.ts',
];

/** Starts the large files of each project first, as vitest does where it knows no durations, but before them the small ones that take long. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const byProject = Map.groupBy(sorted, ({ project }) => project.name);
    return [...byProject.values()].flatMap((group) => [
      ...group.filter(isLong),
      ...group.filter((file) => !isLong(file)),
    ]);
  }
}

const isLong = ({ moduleId }: TestSpecification): boolean => longest.some((path) => moduleId.endsWith(path));
