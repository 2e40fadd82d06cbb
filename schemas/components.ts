import { Attachment, UploadForm } from './attachment.ts'
import { AuditEvent } from './audit.ts'
import { FeatureFlag, FlagOverride, FlagSetting, OverrideSetting } from './featureflag.ts'
import { NewMail } from './mail.ts'
import { Memo, MemoContent, MemoTransition } from './memo.ts'
import { ResetRequest } from './password-reset.ts'
import { ReactionSummary } from './reaction.ts'
import { BatchItem, NewTodo, Todo, TodoChange, TodoReplacement } from './todo.ts'
import { TokenClaims } from './token.ts'
import { Credentials, NewPassword, User } from './user.ts'
import { WebhookEvent } from './webhook.ts'

/** The schemas that `ref()` may name: shared by the validator, the serialiser and the document. */
export const components = [
  AuditEvent,
  User,
  Credentials,
  NewPassword,
  ResetRequest,
  TokenClaims,
  Todo,
  NewTodo,
  TodoReplacement,
  TodoChange,
  BatchItem,
  Memo,
  MemoContent,
  MemoTransition,
  Attachment,
  UploadForm,
  ReactionSummary,
  FeatureFlag,
  FlagSetting,
  FlagOverride,
  OverrideSetting,
  NewMail,
  WebhookEvent
]
