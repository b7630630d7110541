import { Alert } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { problemOf } from '../lib/errors.ts'
import { useProblemText } from './Notice.tsx'

/** What the server refused; what belongs to one of `fields` stands beside it, the rest here. */
export function FormAlert({ error, fields = [] }: { error: Error | null; fields?: readonly string[] }) {
  const problemText = useProblemText()
  if (!error) return null
  const problem = problemOf(error)
  const beside = problem.kind === 'fields' && fields.some((field) => problem.fields[field])
  if (beside && !(problem.kind === 'fields' && problem.general)) return null
  return (
    <Alert color="bad" role="alert" icon={<IconAlertTriangle size={18} stroke={1.75} />}>
      {problemText(problem)}
    </Alert>
  )
}

/** What the server says of one field. */
export function fieldError(error: Error | null, field: string): string | undefined {
  const problem = error && problemOf(error)
  return problem?.kind === 'fields' ? problem.fields[field] : undefined
}
