// Loaded before every test file. The order matters: the CommonJS throttler fails in an import cycle when it comes first.
import 'reflect-metadata';
import '@nestjs/common';
import '@nestjs/core';
