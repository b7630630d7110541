import { Box } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { useTitle } from '../../../lib/title.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Steps } from '../../../ui/Steps.tsx'

interface WizardFrameProps {
  step: 0 | 1 | 2 | 3
  title: string
  lead?: ReactNode
  back?: { to: string; label: string; search?: Record<string, string> }
  children: ReactNode
}

/** The frame of the four steps from an unlinked printer to a watched one. */
export function WizardFrame({ step, title, lead, back, children }: WizardFrameProps) {
  const { t } = useTranslation('linking')
  useTitle(title)
  return (
    <Box w="100%" maw={860}>
      <PageHeader title={title} {...(back ? { back } : {})} />
      <Steps
        label={t('steps.label')}
        current={step}
        steps={[t('steps.choose'), t('steps.prepare'), t('steps.link'), t('steps.done')]}
      />
      {lead && (
        <Box component="p" c="dimmed" mb={18}>
          {lead}
        </Box>
      )}
      {children}
    </Box>
  )
}
