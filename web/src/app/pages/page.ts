import type { ComponentType } from 'react'
import { lazily, type Screen } from '../../ui/lazily.tsx'
import type { Access } from '../shell/Guard.tsx'

/** A screen, the address that it stands at, and who may see it. Ids and targets are read with useParams. */
export interface Page {
  path: string
  screen: Screen
  access: Access
}

export const page = (load: () => Promise<{ default: ComponentType }>) =>
  lazily(async () => (await load()).default)
