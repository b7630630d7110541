export { type Ability, agentCan, isAtLeast, neededFor } from '@vigil/contract/abilities.ts'
