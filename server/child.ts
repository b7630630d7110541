/** The process that serves: started, given the door and stopped by the keeper (keeper.ts). */
import { answerKeeper } from './keeper/answer.ts'

answerKeeper(async () => (await import('./serve.ts')).program)
