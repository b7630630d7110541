import { ActionIcon, Button, FileButton, Group, Stack, Switch, TextInput } from '@mantine/core'
import { IconDownload, IconTrash, IconUpload } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SavedPreset } from '@vigil/contract/slice/presets.ts'
import { useState } from 'react'
import { useTranslation } from '../../../lib/translation.ts'
import { problemOf } from '../../../lib/errors.ts'
import { useBootstrap } from '../../../lib/session.ts'
import { toast } from '../../../lib/toast.ts'
import { Dialog, DialogButtons } from '../../../ui/Dialog.tsx'
import { Failed, useProblemText } from '../../../ui/Notice.tsx'
import { Panel } from '../../../ui/Panel.tsx'
import type { Values } from './fields.ts'
import {
  dropPreset,
  exportPreset,
  keepPreset,
  type PresetFile,
  presetsQuery,
  readPresetFile,
} from './presets.api.ts'
import shared from '../../../ui/shared.module.css'
import rows from '../../../ui/Rows.module.css'
import { type Chosen, profilesOf } from './chosen.ts'

interface PresetsPanelProps {
  chosen: Chosen
  /** What is changed of the profiles. */
  own: Values
  onApply: (preset: SavedPreset) => void
}

/** What somebody has saved to slice with: applied by a click, saved under a name, exported, imported. */
export function PresetsPanel({ chosen, own, onApply }: PresetsPanelProps) {
  const { t } = useTranslation('slicing')
  const { data, error, refetch } = useQuery(presetsQuery)
  const [isSaving, setSaving] = useState(false)
  const { save, drop, bring } = usePresets()
  const profiles = profilesOf(chosen)
  return (
    <Panel
      title={t('presets.title')}
      aside={
        <Group gap={8}>
          <FileButton accept=".json,application/json" onChange={(file) => file && void bring(file)}>
            {(props) => (
              <Button variant="subtle" leftSection={<IconUpload size={16} stroke={1.75} />} {...props}>
                {t('presets.import')}
              </Button>
            )}
          </FileButton>
          <Button disabled={profiles === null} onClick={() => setSaving(true)}>
            {t('presets.save')}
          </Button>
        </Group>
      }
    >
      {!data && error && (
        <Failed title={t('presets.failed')} problem={problemOf(error)} onRetry={() => void refetch()} />
      )}
      {data?.length === 0 && <p className={shared.soft}>{t('presets.none')}</p>}
      <ul className={rows.rows} aria-label={t('presets.title')}>
        {data?.map((preset) => (
          <PresetRow key={preset.id} preset={preset} onApply={onApply} onDrop={drop} />
        ))}
      </ul>
      {isSaving && profiles && (
        <SaveDialog
          onClose={() => setSaving(false)}
          onSave={(name, isShared) =>
            void save({ name, slicer_profiles: profiles, profile_overwrites: own }, isShared).then(
              (isSaved) => isSaved && setSaving(false),
            )
          }
        />
      )}
    </Panel>
  )
}

function usePresets() {
  const { t } = useTranslation('slicing')
  const problemText = useProblemText()
  const client = useQueryClient()
  const attempt = async (work: () => Promise<unknown>): Promise<boolean> => {
    try {
      await work()
      await client.invalidateQueries({ queryKey: presetsQuery.queryKey })
      return true
    } catch (error) {
      toast(problemText(problemOf(error)), 'failed')
      return false
    }
  }
  const save = (preset: PresetFile, isShared: boolean) => attempt(() => keepPreset(preset, isShared))
  return {
    save,
    drop: (id: number) => void attempt(() => dropPreset(id)),
    async bring(file: File) {
      const preset = await readPresetFile(file)
      if (preset === null) toast(t('presets.noPreset', { name: file.name }), 'failed')
      else if (await save(preset, false)) toast(t('presets.imported', { name: preset.name }))
    },
  }
}

interface PresetRowProps {
  preset: SavedPreset
  onApply: (preset: SavedPreset) => void
  onDrop: (id: number) => void
}

function PresetRow({ preset, onApply, onDrop }: PresetRowProps) {
  const { t } = useTranslation('slicing')
  const { name, machine, filament, print_process: process, unsupported } = preset
  const isWhole = machine !== null && filament !== null && process !== null
  const notes = [
    isWhole ? machine.name : t('presets.gone'),
    ...(preset.is_own ? (preset.is_shared ? [t('presets.shared')] : []) : [t('presets.ofOther')]),
    ...(unsupported.length > 0 ? [t('presets.unsupported', { count: unsupported.length })] : []),
  ]
  return (
    <li className={rows.withTools}>
      <button type="button" className={rows.row} disabled={!isWhole} onClick={() => onApply(preset)}>
        <Stack component="span" className={shared.fits} gap={0} flex={1}>
          <bdi>{name}</bdi>
          <span className={shared.soft}>{notes.join(' · ')}</span>
        </Stack>
      </button>
      <ActionIcon
        variant="subtle"
        size={44}
        aria-label={t('presets.export', { name })}
        onClick={() => exportPreset(preset)}
      >
        <IconDownload size={18} stroke={1.75} />
      </ActionIcon>
      {preset.is_own && (
        <ActionIcon
          variant="subtle"
          size={44}
          aria-label={t('presets.delete', { name })}
          onClick={() => onDrop(preset.id)}
        >
          <IconTrash size={18} stroke={1.75} />
        </ActionIcon>
      )}
    </li>
  )
}

interface SaveDialogProps {
  onSave: (name: string, isShared: boolean) => void
  onClose: () => void
}

function SaveDialog({ onSave, onClose }: SaveDialogProps) {
  const { t } = useTranslation('slicing')
  const { settings } = useBootstrap()
  const [name, setName] = useState('')
  const [isShared, setShared] = useState(false)
  return (
    <Dialog onClose={onClose} title={t('presets.saveTitle')}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() !== '') onSave(name, isShared)
        }}
      >
        <Stack gap={12} mt={12}>
          <TextInput
            data-autofocus
            label={t('presets.name')}
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Switch
            label={t(settings.IS_ENT ? 'presets.shareHousehold' : 'presets.share')}
            checked={isShared}
            onChange={(event) => setShared(event.currentTarget.checked)}
          />
          <DialogButtons>
            <Button variant="default" onClick={onClose}>
              {t('close')}
            </Button>
            <Button type="submit" variant="filled" disabled={name.trim() === ''}>
              {t('presets.save')}
            </Button>
          </DialogButtons>
        </Stack>
      </form>
    </Dialog>
  )
}
