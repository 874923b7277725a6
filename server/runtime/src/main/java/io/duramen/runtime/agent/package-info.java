/** Single-writer loops: what an agent owns is touched by its thread alone; others hand it work through an inbox. */
package io.duramen.runtime.agent;
