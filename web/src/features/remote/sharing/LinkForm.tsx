import { Button, Checkbox, TextInput } from '@mantine/core'
import type { ShareLink, ShareLinkWrite } from '@vigil/contract/remote/sharing.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { ms } from '../../../lib/format.ts'
import { DialogButtons } from '../../../ui/Dialog.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { fromLocalInput, toLocalInput } from './local-time.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Sharing.module.css'
import { newPin } from './new-pin.ts'
import { addLink, changeLink, linksQuery } from './sharing.api.ts'

interface LinkFormProps {
  printerId: number
  /** Absent for a new one. */
  link?: ShareLink
  /** The link with the PIN that was given to it, which nobody can read again later; nothing when left as it was. */
  onDone: (saved?: { link: ShareLink; pin: string }) => void
}

/** A link's label, end and PIN; a new link is offered a PIN. */
export function LinkForm({ printerId, link, onDone }: LinkFormProps) {
  const { t } = useTranslation('sharing')
  const client = useQueryClient()
  const problemText = useProblemText()
  const [label, setLabel] = useState(link?.label ?? '')
  const [ends, setEnds] = useState(toLocalInput(ms(link?.ends_at)))
  const [pin, setPin] = useState(() => (link ? '' : newPin()))
  const [dropPin, setDropPin] = useState(false)

  const saving = useMutation({
    mutationFn: () => {
      const write: Partial<ShareLinkWrite> = { label: label.trim(), ends_at: fromLocalInput(ends) }
      if (dropPin) write.pin = null
      else if (pin) write.pin = pin
      return link ? changeLink(link.id, write) : addLink(printerId, write)
    },
    onSuccess: async (saved) => {
      await client.invalidateQueries({ queryKey: linksQuery(printerId).queryKey })
      onDone({ link: saved, pin: dropPin ? '' : pin })
    },
  })
  const problem = saving.error ? problemOf(saving.error) : null
  const fields = problem?.kind === 'fields' ? problem.fields : {}
  const beside = ['label', 'ends_at', 'pin'].some((key) => fields[key])

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      {problem && !beside && (
        <p role="alert" className={shared.problem}>
          {problemText(problem)}
        </p>
      )}
      <TextInput
        label={t('form.label')}
        placeholder={t('form.labelHint')}
        value={label}
        maxLength={100}
        error={fields['label']}
        data-autofocus
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <div className={styles.pair}>
        <TextInput
          type="datetime-local"
          label={t('form.ends')}
          value={ends}
          error={fields['ends_at']}
          onChange={(event) => setEnds(event.currentTarget.value)}
        />
        <TextInput
          label={link?.has_pin ? t('form.newPin') : t('form.pin')}
          placeholder={link?.has_pin ? t('form.pinKept') : t('form.pinNone')}
          description={t('form.pinHint')}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          value={pin}
          maxLength={12}
          autoComplete="off"
          disabled={dropPin}
          error={fields['pin']}
          onChange={(event) => setPin(event.currentTarget.value)}
        />
      </div>
      {link?.has_pin && (
        <Checkbox
          label={t('form.dropPin')}
          checked={dropPin}
          onChange={(event) => setDropPin(event.currentTarget.checked)}
        />
      )}
      <DialogButtons>
        <Button onClick={() => onDone()}>{t('form.back')}</Button>
        <Button type="submit" variant="filled" loading={saving.isPending}>
          {link ? t('form.save') : t('form.create')}
        </Button>
      </DialogButtons>
    </form>
  )
}
