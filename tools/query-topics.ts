/** The text of `contract/src/query-topics.gen.ts`: the topics that each query reads, without schemas, which keeps the console's bundle small. */
export async function queryTopics(): Promise<string> {
  const { actions } = await import('@corral/contract');
  const rows = Object.entries(actions)
    .filter(([, { reads }]) => reads.length > 0)
    .map(([name, { reads }]) => `  ${name}: [${reads.map((topic) => `'${topic}'`).join(', ')}],\n`);
  return `// Generated from the definitions of the actions by \`node tools/launch.cjs generate\`.

/** The live topics that each query reads, by its name; see \`reads\` of the definitions. */
export const queryTopics = {
${rows.join('')}} as const;
`;
}
