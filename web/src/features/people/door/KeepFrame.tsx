import { Button, Stack } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { useTitle } from '../../../lib/title.ts'
import { DoorFrame } from './DoorFrame.tsx'
import { fieldError, FormAlert } from '../../../ui/FormAlert.tsx'

interface KeepFrameProps {
  say: (word: `keep.${'title' | 'lead' | 'button' | 'done' | 'doneLead'}`) => string
  keeping: {
    readonly mutate: (key: string) => void
    readonly error: Error | null
    readonly isPending: boolean
    readonly isSuccess: boolean
  }
  /** Where one goes once it is kept. */
  onwards: { to: string; text: string }
}

/** The link in a letter leads here. Its button keeps what is about to go, not the opening of the page: mail filters open pages, too. */
export function KeepFrame({
  say,
  keeping: { mutate, error, isPending, isSuccess },
  onwards,
}: KeepFrameProps) {
  const { key = '' } = useParams({ strict: false })
  useTitle(say('keep.title'))
  const over = fieldError(error, 'link')
  return (
    <DoorFrame
      title={say(isSuccess ? 'keep.done' : 'keep.title')}
      lead={say(isSuccess ? 'keep.doneLead' : 'keep.lead')}
    >
      <Stack gap={14} mt={14}>
        {over ? <p role="alert">{over}</p> : <FormAlert error={error} />}
        {isSuccess ? (
          <Button variant="filled" fullWidth renderRoot={(props) => <Link {...props} to={onwards.to} />}>
            {onwards.text}
          </Button>
        ) : (
          <Button variant="filled" fullWidth loading={isPending} onClick={() => mutate(key)}>
            {say('keep.button')}
          </Button>
        )}
      </Stack>
    </DoorFrame>
  )
}
