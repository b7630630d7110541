import { Button, TextInput } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { updatePrinter } from '@vigil/contract/printers/printers.ts'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { useId, useQueryValues } from '../../../lib/address.ts'
import { useTranslation } from '../../../lib/translation.ts'
import { basePath, serverUrl } from '../../../lib/base.ts'
import { call } from '../../../lib/call.ts'
import { useMessages } from '../../../lib/catalogue.ts'
import { problemOf } from '../../../lib/errors.ts'
import { paths, safeNext } from '../../../lib/paths.ts'
import { Panel } from '../../../ui/Panel.tsx'
import { useProblemText } from '../../../ui/Notice.tsx'
import { ReachPanel } from '../../tell/notifications/index.ts'
import shared from '../../../ui/shared.module.css'
import styles from './Wizard.module.css'
import { WizardFrame } from './WizardFrame.tsx'

/** Text is saved this long after the last change (docs/rules/pages.md 2). */
const SAVE_AFTER_MS = 1_000

/** It is linked: give it a name, go and see it. The name is saved only when there is one. */
export default function LinkedScreen() {
  const { t } = useTranslation('linking')
  const id = useId()
  const client = useQueryClient()
  const problemText = useProblemText()
  const message = useMessages()
  const [name, setName] = useState('')
  const saving = useMutation({
    mutationFn: (given: string) => call(updatePrinter, { params: { id }, query: {}, body: { name: given } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['printers'] }),
  })
  const problem = saving.error ? problemOf(saving.error) : null
  const beside = problem?.kind === 'fields' ? problem.fields['name'] : undefined

  const tunnel = useQueryValues()['redirectToTunnelCreation']
  useEffect(() => {
    void client.invalidateQueries({ queryKey: ['printers'] })
  }, [client])

  const kept = useRef('')
  const { mutate } = saving
  const save = useCallback(() => {
    const given = name.trim()
    if (!given || given === kept.current) return
    kept.current = given
    mutate(given)
  }, [name, mutate])

  useEffect(() => {
    const timer = setTimeout(save, SAVE_AFTER_MS)
    return () => clearTimeout(timer)
  }, [save])

  return (
    <WizardFrame step={3} title={t('linked.title')}>
      <div className={shared.parts}>
        <Panel>
          <p className={styles.tick}>
            <IconCircleCheck size={28} stroke={1.75} aria-hidden />
            {t('linked.lead')}
          </p>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              save()
            }}
          >
            <TextInput
              mt={18}
              maw={380}
              label={t('linked.name')}
              placeholder={t('linked.namePlaceholder')}
              value={name}
              maxLength={200}
              onChange={(event) => setName(event.currentTarget.value)}
              onBlur={save}
              inputWrapperOrder={['label', 'input', 'description', 'error']}
              description={problem ? undefined : <Saved>{saving.isSuccess && t('linked.saved')}</Saved>}
              error={problem ? (beside ?? `${message('nameNotSaved')} · ${problemText(problem)}`) : undefined}
            />
          </form>
        </Panel>
        <ReachPanel />
        <div className={styles.next}>
          {tunnel ? (
            <Button
              variant="filled"
              renderRoot={(props) => <a {...props} href={serverUrl(safeNext(tunnel, basePath))} />}
            >
              {t('linked.authorize')}
            </Button>
          ) : (
            <LinkedWays id={id} />
          )}
        </div>
      </div>
    </WizardFrame>
  )
}

/** Its line is always there, so that nothing moves when it is said. */
const Saved = ({ children }: { children: ReactNode }) => <span role="status">{children || '\u00a0'}</span>

function LinkedWays({ id }: { id: number }) {
  const { t } = useTranslation('linking')
  return (
    <>
      <Button renderRoot={(props) => <Link {...props} to={paths.printers} />}>{t('linked.all')}</Button>
      <Button renderRoot={(props) => <Link {...props} to={paths.printerSettings(id)} />}>
        {t('linked.settings')}
      </Button>
      <Button variant="filled" renderRoot={(props) => <Link {...props} to={paths.control(id)} />}>
        {t('linked.watch')}
      </Button>
    </>
  )
}
