import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** What waits for processes that begin, hang or die: short files that take long. */
const WAITING = /\/server\/(supervisor|cli|test\/faults|test\/hostile)\//

/**
 * Of a project the files that wait begin first, then the largest: vitest goes by size alone on a fresh machine, and would begin with them when
 * nothing is left to be done meanwhile.
 */
export class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project.name))]
    const place = ({ project, moduleId }: TestSpecification) =>
      2 * projects.indexOf(project.name) + (WAITING.test(moduleId) ? 0 : 1)
    return sorted.toSorted((a, b) => place(a) - place(b))
  }
}
