import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { CreateApiKey, ListApiKeys, RotateApiKey, ThisApiKey } from './api-key.dto.js';
import { createApiKey, getApiKey, listApiKeys, revokeApiKey, rotateApiKey } from './api-keys.operations.js';
import { ApiKeysService } from './api-keys.service.js';

@Controller()
export class ApiKeysController {
  constructor(private readonly apiKeys: ApiKeysService) {}

  @Handles(createApiKey) create(caller: Caller, input: CreateApiKey) {
    return this.apiKeys.create(caller, input);
  }

  @Handles(listApiKeys) list(caller: Caller, input: ListApiKeys) {
    return this.apiKeys.list(caller, input);
  }

  @Handles(getApiKey) get(caller: Caller, { keyId }: ThisApiKey) {
    return this.apiKeys.get(caller, keyId);
  }

  @Handles(revokeApiKey) revoke(caller: Caller, { keyId }: ThisApiKey) {
    return this.apiKeys.revoke(caller, keyId);
  }

  @Handles(rotateApiKey) rotate(caller: Caller, input: RotateApiKey) {
    return this.apiKeys.rotate(caller, input);
  }
}
