export { PropertyOperations, type PropertyOperationsOptions } from './client.js';
export {
  ApiError,
  AuthenticationError,
  AuthorizationError,
  BusinessRuleError,
  ConflictError,
  ConnectionError,
  InternalError,
  NotFoundError,
  ProviderError,
  RateLimitError,
  ServiceUnavailable,
  ValidationError,
} from './errors.js';
export type { ErrorDetails } from './generated/errors.js';
export type { EventFeed, FeedOptions } from './event-feed.js';
export type { Answer, CallOptions, Input, Item, OperationName, WriteOptions } from './methods.js';
export { verifyWebhook, type Webhook, WebhookVerificationError } from './webhook.js';
export type { components, operations } from './generated/schema.js';
