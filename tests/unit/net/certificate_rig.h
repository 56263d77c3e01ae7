/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Certificate rig: self-signed certificates for "localhost" and 127.0.0.1, made anew for each test
 * in a folder of its own.
 */
#ifndef HUSTINGS_TESTS_CERTIFICATE_RIG_H
#define HUSTINGS_TESTS_CERTIFICATE_RIG_H

#include "net_rig.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>
#include <stdio.h>

struct certificate_rig {
	char folder[64];
	char certificate[96];
	char key[96];
};

static inline void certificate_extend(X509 *certificate, int which, const char *value) {
	X509V3_CTX context;
	X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
	X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, which, (char *)value);
	assert_non_null(extension);
	assert_int_equal(X509_add_ext(certificate, extension, -1), 1);
	X509_EXTENSION_free(extension);
}

static inline void certificate_write(const struct certificate_rig *rig, X509 *certificate,
	EVP_PKEY *key, const char *password) {
	FILE *file = fopen(rig->certificate, "w");
	assert_non_null(file);
	assert_int_equal(PEM_write_X509(file, certificate), 1);
	assert_int_equal(fclose(file), 0);
	file = fopen(rig->key, "w");
	assert_non_null(file);
	const EVP_CIPHER *cipher = password ? EVP_aes_128_cbc() : NULL;
	assert_int_equal(PEM_write_PKCS8PrivateKey(file, key, cipher, password,
				 password ? (int)strlen(password) : 0, NULL, NULL),
		1);
	assert_int_equal(fclose(file), 0);
}

/* A fresh key and certificate into the rig's files; those there are replaced. */
static inline void certificate_renew(const struct certificate_rig *rig, const char *password) {
	uint32_t serial;
	assert_int_equal(RAND_bytes((unsigned char *)&serial, sizeof(serial)), 1);
	EVP_PKEY *key = EVP_EC_gen("P-256");
	X509 *certificate = X509_new();
	assert_non_null(key);
	assert_non_null(certificate);
	X509_set_version(certificate, 2);
	ASN1_INTEGER_set(X509_get_serialNumber(certificate), (long)(serial >> 1) + 1);
	X509_gmtime_adj(X509_getm_notBefore(certificate), -86400);
	X509_gmtime_adj(X509_getm_notAfter(certificate), 7 * 86400);
	X509_set_pubkey(certificate, key);
	X509_NAME *name = X509_get_subject_name(certificate);
	X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"rig", -1, -1, 0);
	X509_set_issuer_name(certificate, name);
	certificate_extend(certificate, NID_basic_constraints, "critical,CA:TRUE");
	certificate_extend(certificate, NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1");
	assert_true(X509_sign(certificate, key, EVP_sha256()) > 0);
	certificate_write(rig, certificate, key, password);
	X509_free(certificate);
	EVP_PKEY_free(key);
}

static inline void certificate_rig_open(struct certificate_rig *rig) {
	snprintf(rig->folder, sizeof(rig->folder), "/tmp/hustings-tls-XXXXXX");
	assert_non_null(mkdtemp(rig->folder));
	snprintf(rig->certificate, sizeof(rig->certificate), "%s/certificate.pem", rig->folder);
	snprintf(rig->key, sizeof(rig->key), "%s/key.pem", rig->folder);
	certificate_renew(rig, NULL);
}

static inline void certificate_rig_close(struct certificate_rig *rig) {
	unlink(rig->certificate);
	unlink(rig->key);
	rmdir(rig->folder);
}

#endif
